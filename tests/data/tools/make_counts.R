# Tables of counts of R, and each as as.data.frame() makes it; tests/data/test_old_files.py reads them.
#
#     cd tests/data/tools && Rscript make_counts.R
#
# What is tested: 4 dimensions, counts as doubles, a call beside them (xtabs), one dimension without a name, NA as a level
# (useNA), several objects in one file, version 2, and a frame behind a table.
small <- data.frame(g = c("b", NA, "é", "b", "b"), h = c(TRUE, FALSE, TRUE, TRUE, NA))
tables <- list(
  titanic = Titanic, ucb = UCBAdmissions, xtabs = xtabs(Freq ~ Gender + Dept, as.data.frame(UCBAdmissions)),
  one = table(mtcars$cyl), two = table(small, useNA = "ifany"), three = table(mtcars$cyl, mtcars$gear, mtcars$am)
)
for (name in names(tables)) {
  saveRDS(tables[[name]], file.path("r", paste0("counts_", name, ".rds")), version = if (name == "two") 2 else 3)
  write.csv(as.data.frame(tables[[name]]), file.path("r", paste0("counts_", name, ".csv")), row.names = FALSE, fileEncoding = "UTF-8")
}
hair <- HairEyeColor
people <- data.frame(x = 1:2)
ucb <- UCBAdmissions
save(hair, people, ucb, file = "r/counts.RData")
