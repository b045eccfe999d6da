# rpart's trees with surrogate splits, on tables with missing cells that tests/reference/test_rpart_surrogates.py reads back.
#
#     Rscript tests/reference/r/rpart_surrogates.R        (from the top of the repository; R with the package rpart)
#
# Writes tests/reference/golden/rpart_surrogates.json: per inner node its variable, rows, deviance and surrogates, best first, with
# agreement and adjusted agreement; and the answer for every row. Cells of auto_mpg are emptied in a fixed pattern.
suppressMessages(library(rpart))

numbers <- function(values) paste0("[", paste(format(unname(values), digits = 17, trim = TRUE), collapse = ", "), "]")
words <- function(values) paste0("[", paste0('"', values, '"', collapse = ", "), "]")

one_node <- function(fit, row, first) {
  frame <- fit$frame[row, ]
  from <- first + 1 + frame$ncompete
  found <- fit$splits[seq_len(frame$nsurrogate) + from - 1, , drop = FALSE]
  paste0('  {"variable": "', frame$var, '", "rows": ', frame$wt, ', "deviance": ', format(frame$dev, digits = 17),
         ', "surrogates": ', if (nrow(found)) words(rownames(found)) else "[]",
         ', "agreement": ', if (nrow(found)) numbers(found[, "improve"]) else "[]",
         ', "adjusted": ', if (nrow(found)) numbers(found[, "adj"]) else "[]", "}")
}

grown <- function(name, target, columns, method, least, depth, prepare = identity) {
  table <- read.csv(file.path("explorer/data/samples", paste0(name, ".csv")), stringsAsFactors = TRUE, na.strings = c("", "?", "NA"))
  table <- prepare(table[!is.na(table[[target]]), c(target, columns)])
  table <- table[rowSums(!is.na(table[columns])) > 0, ]  # rpart leaves out rows without any value
  control <- rpart.control(cp = -1, minsplit = 2 * least, minbucket = least, xval = 0, maxdepth = depth, maxcompete = 0)
  fit <- rpart(reformulate(columns, target), table, method = method, control = control)
  inner <- which(fit$frame$var != "<leaf>")
  sizes <- with(fit$frame, 1 + ncompete + nsurrogate) * (fit$frame$var != "<leaf>")
  first <- cumsum(c(1, sizes))
  nodes <- vapply(inner, function(row) one_node(fit, row, first[row]), "")
  answers <- if (method == "class") words(predict(fit, table, type = "class")) else numbers(predict(fit, table))
  paste0('{"table": "', name, '", "target": "', target, '", "columns": ', words(columns), ', "least": ', least,
         ', "depth": ', depth, ', "rows": ', nrow(table), ',\n "nodes": [\n', paste(nodes, collapse = ",\n"),
         '],\n "answers": ', gsub("\n", "", answers), "}")
}

holes <- function(table) {
  for (i in 2:ncol(table)) table[seq_len(nrow(table)) %% 7 == i, i] <- NA
  table
}

logs <- function(table) { table[-1] <- log(table[-1]); holes(table) }

votes <- setdiff(names(read.csv("explorer/data/samples/vote.csv", nrows = 1)), "party")
cars <- c("displacement", "weight", "acceleration", "cylinders")
found <- c(
  grown("vote", "party", votes, "class", 7, 4),
  grown("auto_mpg", "mpg", cars, "anova", 10, 4, logs)
)
about <- paste0('{"command": "Rscript tests/reference/r/rpart_surrogates.R", "made_with": "', R.version.string, ', rpart ',
                as.character(packageVersion("rpart")), '"}')
writeLines(paste0('{"_about": ', about, ',\n"cases": [\n', paste(found, collapse = ",\n"), ']}'),
           "tests/reference/golden/rpart_surrogates.json")
