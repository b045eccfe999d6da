# rpart's own cross-validation of the pruning sequence, on tables and folds that tests/reference/test_rpart.py reads back.
#
#     Rscript tests/reference/r/rpart_xval.R        (from the top of the repository; R with the package rpart)
#
# Writes tests/reference/golden/rpart_xval.json. Folds go round over the rows in an order drawn once here, so no generator needs
# to be the same in two languages: the fold of every row is stored with the numbers. Features are logarithms: of round
# numbers one often lies midway between two others, and such a held-out row goes left here (<=) and right in rpart (>=).
suppressMessages(library(rpart))

numbers <- function(values) paste0("[", paste(format(values, digits = 17, trim = TRUE), collapse = ", "), "]")

folds_of <- function(n, k) { set.seed(20240); rep(seq_len(k), length.out = n)[sample.int(n)] }

cross_validate <- function(name, target, columns, method, k, weights = NULL, least = 1) {
  table <- read.csv(file.path("explorer/data/samples", paste0(name, ".csv")), stringsAsFactors = TRUE)
  table <- table[complete.cases(table[c(target, columns)]), ]
  table[columns] <- log(table[columns])
  folds <- folds_of(nrow(table), k)
  table$w <- if (is.null(weights)) rep(1, nrow(table)) else weights(nrow(table))
  control <- rpart.control(cp = 0, minsplit = 2 * least, minbucket = least, xval = folds, maxsurrogate = 0, usesurrogate = 0,
                           maxcompete = 0, maxdepth = 30)
  parms <- if (method == "class") list(split = "gini") else list()
  fit <- rpart(reformulate(columns, target), table, weights = w, method = method, parms = parms, control = control)
  # rpart prints all but nsplit divided by the risk of the root; here they are per row again, on the scale of "impurity"
  per_row <- fit$frame$dev[1] / sum(table$w)
  cp <- fit$cptable
  paste0('{"table": "', name, '", "target": "', target, '", "method": "', method, '",\n',
    ' "columns": ["', paste(columns, collapse = '", "'), '"],\n',
    ' "least": ', least, ', "rows": ', nrow(table), ', "fold_of_row": ', gsub("\n", "", numbers(folds)), ',\n',
    ' "weights": ', if (is.null(weights)) "null" else numbers(table$w), ',\n',
    ' "alpha": ', numbers(cp[, "CP"] * per_row), ',\n "nsplit": ', numbers(cp[, "nsplit"]), ',\n',
    ' "risk": ', numbers(cp[, "rel error"] * per_row), ',\n',
    ' "mean": ', numbers(cp[, "xerror"] * per_row), ',\n "standard_error": ', numbers(cp[, "xstd"] * per_row), '}')
}

iris <- c("sepallength", "sepalwidth", "petallength", "petalwidth")
penguins <- c("bill_length_mm", "bill_depth_mm", "flipper_length_mm", "body_mass_g")
cars <- c("displacement", "weight", "acceleration")
found <- c(
  cross_validate("iris", "class", iris, "class", 10),
  cross_validate("penguins", "species", penguins, "class", 10, weights = function(n) 1 + seq_len(n) %% 3),
  cross_validate("auto_mpg", "mpg", cars[-2], "anova", 10, least = 10),
  cross_validate("auto_mpg", "mpg", cars, "anova", 10)
)
about <- paste0('{"command": "Rscript tests/reference/r/rpart_xval.R", "made_with": "', R.version.string, ', rpart ',
                as.character(packageVersion("rpart")), '"}')
writeLines(paste0('{"_about": ', about, ',\n"cases": [\n', paste(found, collapse = ",\n"), ']}'),
           "tests/reference/golden/rpart_xval.json")
