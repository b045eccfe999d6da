# Write the files of r/ and what R reads in them: Rscript tests/data/tools/write_r.R (R 4.2.2).
folder <- "tests/data/tools/r"
path <- function(name) file.path(folder, name)
people <- data.frame(
  id = 1:5,
  size = factor(c("s", "l", NA, "m", "s"), levels = c("s", "m", "l"), ordered = TRUE),
  town = factor(c("Ulm", "New York", "Ulm", "Köln", NA)),
  income = c(1200.5, NA, -3, 1e-7, Inf),
  word = c("a", "b c", NA, "d \"e\"", ""),
  flag = c(TRUE, NA, FALSE, TRUE, FALSE),
  day = as.Date(c("2024-01-02", NA, "1969-12-31", "2024-02-29", "1900-01-01")),
  time = as.POSIXct(c("2024-01-02 10:30:00", NA, "2024-01-03 00:00:01", "1969-12-31 23:59:59", "2024-01-05 12:00:00"), tz = "UTC"),
  stringsAsFactors = FALSE
)
saveRDS(people, path("people.rds"))
saveRDS(people, path("people_plain.rds"), compress = FALSE)
saveRDS(people, path("people_2.rds"), version = 2)
saveRDS(people, path("people_ascii.rds"), ascii = TRUE)
jan <- data.frame(x = c(1, 2), y = c("a", "b"))
feb <- data.frame(x = 3, y = "b")
note <- "no table"
save(note, jan, feb, people, file = path("tables.RData"))
saveRDS(list(a = 1, b = "x"), path("list.rds"))

blanks <- data.frame(n = c(1.5, -2, NA), text = c("a b", "c \"d\"", "e"), k = c(10L, 20L, 30L))
write.table(blanks, path("blanks.txt"))
write.table(blanks, path("blanks_no_names.txt"), row.names = FALSE, quote = FALSE)
wide <- data.frame(name = c("Ann Lee", "Bo", "Cy de Ruyter"), town = c("New York", "Ulm", "Köln"), n = c(1200, 12, 800.5))
writeLines(capture.output(print(wide, row.names = FALSE, right = FALSE)), path("fixed.txt"))
writeLines(sprintf("%02d%-3s%4d", c(1L, 22L, 3L), c("ab", "cde", "f"), c(2024L, 7L, 365L)), path("touching.txt"))
