# rpart's trees under priors and a loss matrix, node by node, which tests/reference/test_rpart_costs.py reads back.
#
#     Rscript tests/reference/r/rpart_costs.R        (from the top of the repository; R with the package rpart)
#
# Writes tests/reference/golden/rpart_costs.json. cp = -1 keeps every split; rows of the loss matrix are true classes. rpart's dev
# is the number of rows times the expected cost under the true priors, its improve that of the decrease.
suppressMessages(library(rpart))

numbers <- function(values) paste0("[", paste(format(as.vector(values), digits = 17, trim = TRUE), collapse = ", "), "]")
words <- function(values) paste0('["', paste(values, collapse = '", "'), '"]')

grown <- function(name, target, columns, prior, loss, least) {
  table <- read.csv(file.path("explorer/data/samples", paste0(name, ".csv")), stringsAsFactors = TRUE)
  classes <- levels(table[[target]])
  table[columns] <- log(table[columns])
  control <- rpart.control(cp = -1, minsplit = 2 * least, minbucket = least, xval = 0, maxsurrogate = 0, maxcompete = 0,
                           maxdepth = 30)
  parms <- list(split = "gini", prior = prior, loss = loss)
  fit <- rpart(reformulate(columns, target), table, method = "class", parms = parms, control = control)
  frame <- fit$frame
  inner <- frame$var != "<leaf>"
  split <- matrix(NA, nrow(frame), 3)
  split[inner, ] <- fit$splits[, c("index", "ncat", "improve")]
  K <- length(classes)
  paste0('{"table": "', name, '", "target": "', target, '", "columns": ', words(columns), ',\n',
    ' "classes": ', words(classes), ', "prior": ', numbers(prior), ', "loss": ', numbers(t(loss)), ', "least": ', least, ',\n',
    ' "node": ', numbers(as.integer(rownames(frame))), ',\n "feature": ', words(frame$var), ',\n',
    ' "threshold": ', gsub("NA", "null", numbers(split[, 1])), ',\n',
    ' "low_goes_left": ', gsub("NA", "null", numbers(split[, 2])), ',\n',
    ' "improve": ', gsub("NA", "null", numbers(split[, 3])), ',\n',
    ' "rows": ', numbers(frame$n), ',\n "dev": ', numbers(frame$dev), ',\n',
    ' "label": ', words(classes[frame$yval]), ',\n "shares": ', numbers(t(frame$yval2[, 1 + K + seq_len(K)])), '}')
}

iris <- c("sepallength", "sepalwidth", "petallength", "petalwidth")
found <- c(
  grown("iris", "class", iris, c(.2, .3, .5), matrix(c(0, 1, 2, 3, 0, 1, 1, 4, 0), 3, byrow = TRUE), 1),
  grown("credit_g", "class", c("duration", "credit_amount", "age"), c(.4, .6), matrix(c(0, 5, 1, 0), 2, byrow = TRUE), 15)
)
about <- paste0('{"command": "Rscript tests/reference/r/rpart_costs.R", "made_with": "', R.version.string, ', rpart ',
                as.character(packageVersion("rpart")), '"}')
writeLines(paste0('{"_about": ', about, ',\n"cases": [\n', paste(found, collapse = ",\n"), ']}'),
           "tests/reference/golden/rpart_costs.json")
