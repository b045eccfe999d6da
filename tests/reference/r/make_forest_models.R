# Forests of R's randomForest and ranger as our lines of R write them, beside R's own predictions; test_r_models.py reads them.
#
#     Rscript tests/reference/r/make_forest_models.R   (top of the repository; R with randomForest and ranger)
#
# Writes tests/reference/foreign/r-forests.json. Rows to predict: those of the table, others, and numbers at thresholds; R's
# forests refuse missing and new values.
suppressMessages({library(randomForest); library(ranger)})
python <- if (file.exists(".venv/bin/python")) ".venv/bin/python" else "python3"
lines <- system2(python, c("-c", shQuote("from explorer.foreign.snippets import R_SNIPPET; print(R_SNIPPET)")), stdout = TRUE)
env <- new.env()
written <- function(model) {
  env$model <- model
  folder <- setwd(tempdir()); on.exit(setwd(folder))
  eval(parse(text = lines), env)
  readLines("model.json", warn = FALSE)
}
set.seed(3)
make <- function(n) data.frame(width = round(rnorm(n), 1), length = round(rnorm(n) * 100) / 4, isnew = sample(c(TRUE, FALSE), n, TRUE),
  kind = factor(sample(c("d", "b", "c", "a", "é"), n, TRUE), levels = c("d", "b", "c", "a", "é")))
table <- make(150)
table$score <- round(table$width * 2 + 3 * (table$kind %in% c("a", "b")) - table$isnew + rnorm(150) / 3, 3)
table$class <- cut(table$score, c(-Inf, 0, 2, Inf), labels = c("low", "middle", "very high"))
table$size <- factor(sample(1:3, 150, TRUE), ordered = TRUE)
rows <- make(240)
rows$width[1:60] <- round(rows$width[1:60], 1) + 0.05   # halfway between values, where thresholds lie
x <- ~ width + length + isnew + kind
on <- function(target) update(x, paste(target, "~ ."))
cases <- list(
  list("randomForest, classes", randomForest(on("class"), table, ntree = 5)),
  list("randomForest, numbers", randomForest(on("score"), table, ntree = 5)),
  list("randomForest, no formula", randomForest(table[c("width", "kind")], table$class, ntree = 3)),
  list("ranger, classes", ranger(on("class"), table, num.trees = 5, respect.unordered.factors = "order")),
  list("ranger, probability", ranger(on("class"), table, num.trees = 5, probability = TRUE, respect.unordered.factors = "order")),
  list("ranger, numbers", ranger(on("score"), table, num.trees = 5, respect.unordered.factors = "order")),
  list("ranger, numbers only", ranger(score ~ width + length, table, num.trees = 3)),
  list("refused: cutoff", randomForest(on("class"), table, ntree = 2, cutoff = c(.5, .3, .2))),
  list("refused: ordered", randomForest(score ~ width + size, table, ntree = 2)),
  list("refused: partition", ranger(on("score"), table, num.trees = 2, respect.unordered.factors = "partition"))
)
shares <- function(fit) {
  if (inherits(fit, "randomForest")) return(if (fit$type == "regression") predict(fit, rows) else predict(fit, rows, type = "prob"))
  if (fit$treetype != "Classification") return(predict(fit, rows)$predictions)
  votes <- predict(fit, rows, predict.all = TRUE)$predictions   # numbers of the classes, a column for each tree
  sapply(seq_along(levels(table$class)), function(k) rowMeans(votes == k))
}
one <- function(item) {
  predicted <- if (startsWith(item[[1]], "refused")) numeric(0) else unname(shares(item[[2]]))
  cells <- lapply(rows, function(x) if (is.factor(x)) as.character(x) else x)
  head <- env$json(list(name = item[[1]], rows = cells, predictions = as.vector(t(predicted))))
  paste0(substr(head, 1, nchar(head) - 1), ',"content":', written(item[[2]]), "}")
}
invisible(written(cases[[1]][[2]]))  # env has json() then
text <- paste0("[", paste(vapply(cases, one, ""), collapse = ",\n"), "]\n")
writeBin(charToRaw(text), "tests/reference/foreign/r-forests.json")
