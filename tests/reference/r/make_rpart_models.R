# Trees of R's rpart as our lines of R write them, beside rpart's own predictions; tests/reference/test_r_models.py reads them.
#
#     Rscript tests/reference/r/make_rpart_models.R   (top of the repository; R with rpart)
#
# The lines are those under "Open a model": python -c "from explorer.foreign.snippets import R_SNIPPET; print(R_SNIPPET)".
# Writes tests/reference/foreign/rpart-VERSION.json. Rows to predict: those of the table with cells missing, levels that a
# node had no row of, and numbers at thresholds and their neighbours.
suppressMessages(library(rpart))
python <- if (file.exists(".venv/bin/python")) ".venv/bin/python" else "python3"
lines <- system2(python, c("-c", shQuote("from explorer.foreign.snippets import R_SNIPPET; print(R_SNIPPET)")), stdout = TRUE)
env <- new.env()
written <- function(model) {
  env$model <- model
  folder <- setwd(tempdir()); on.exit(setwd(folder))
  eval(parse(text = lines), env)
  readLines("model.json", warn = FALSE)
}

set.seed(7)
n <- 240
odd <- "é <b>\"'\\ x"
table <- data.frame(
  width = round(rnorm(n), 1), length = round(rnorm(n) * 1000, 2), check.names = FALSE,
  kind = factor(sample(c("d", "b", "c", "a", odd), n, TRUE, c(4, 3, 3, 3, 1)), levels = c("d", "b", "c", "a", odd)),
  size = factor(sample(c("S", "M", "L", "XL"), n, TRUE), levels = c("S", "M", "L", "XL"), ordered = TRUE),
  isnew = sample(c(TRUE, FALSE), n, TRUE), `my col` = sample(-3:6, n, TRUE)
)
score <- table$width * 2 - abs(table$length) / 500 + 3 * (table$kind %in% c("a", "b")) + as.integer(table$size) - 2 * table$isnew
table$score <- round(score + rnorm(n) / 3, 3)
table$class <- cut(table$score, c(-Inf, 0.5, 3, Inf), labels = c("low", "middle", "very high"))
table$two <- factor(ifelse(table$score > 2, "yes", "no"))
table$events <- rpois(n, exp(pmin(table$score, 4) / 3))
table$w <- sample(c(0.5, 1, 2, 7), n, TRUE)
table$length <- table$length + 0.3 * table$width
for (name in c("width", "kind", "size", "my col", "isnew")) table[sample(n, 25), name] <- NA
x <- "width + length + kind + size + isnew + `my col`"
on <- function(target) as.formula(paste(target, "~", x))
control <- function(...) do.call(rpart.control, modifyList(list(cp = 0.001, minsplit = 8, minbucket = 3, xval = 0), list(...)))

rows <- table[sample(n, 300, TRUE), ]
for (name in c("width", "length", "kind", "size", "isnew", "my col")) rows[sample(300, 60), name] <- NA
rows$kind[sample(300, 60)] <- odd

at_thresholds <- function(fit) {
  for (row in seq_len(NROW(fit$splits))) {
    if (abs(fit$splits[row, "ncat"]) == 1 && rownames(fit$splits)[row] %in% c("width", "length", "my col")) {
      cut <- fit$splits[row, "index"]
      near <- cut + c(0, -1, 1) * abs(cut) * 2^-52
      rows[sample(300, 3), rownames(fit$splits)[row]] <- near
    }
  }
  rows
}

entry <- function(name, fit) {
  rows <- at_thresholds(fit)
  predicted <- predict(fit, rows, type = if (fit$method == "class") "prob" else "vector")
  nodes <- if (is.matrix(predicted)) ncol(predicted) else 1
  labels <- if (fit$method == "class") as.character(predict(fit, rows, type = "class")) else character(0)
  cells <- lapply(rows[c("width", "length", "kind", "size", "isnew", "my col")], function(x) if (is.factor(x)) as.character(x) else x)
  cells$isnew <- ifelse(cells$isnew, "TRUE", "FALSE")
  list(name = name, rows = cells, predictions = as.vector(t(predicted)), columns = nodes, labels = labels, content = written(fit))
}

cases <- list(
  list("class", rpart(on("class"), table, control = control())),
  list("information", rpart(on("class"), table, parms = list(split = "information"), control = control())),
  list("priors", rpart(on("class"), table, parms = list(prior = c(.2, .5, .3)), control = control())),
  list("loss", rpart(on("class"), table, parms = list(loss = matrix(c(0, 1, 5, 2, 0, 1, 8, 3, 0), 3)), control = control())),
  list("priors, loss, two classes", rpart(on("two"), table, parms = list(prior = c(.8, .2), loss = matrix(c(0, 6, 1, 0), 2)), control = control())),
  list("weights", rpart(on("two"), table, weights = w, control = control())),
  list("weights and priors", rpart(on("two"), table, weights = w, parms = list(prior = c(.3, .7)), control = control())),
  list("usesurrogate 1", rpart(on("class"), table, control = control(usesurrogate = 1, maxsurrogate = 1))),
  list("usesurrogate 0", rpart(on("class"), table, control = control(usesurrogate = 0))),
  list("no surrogates", rpart(on("class"), table, control = control(maxsurrogate = 0))),
  list("anova", rpart(on("score"), table, control = control())),
  list("anova, weights", rpart(on("score"), table, weights = w, control = control())),
  list("anova, usesurrogate 0", rpart(on("score"), table, control = control(usesurrogate = 0))),
  list("poisson", rpart(on("events"), table, method = "poisson", control = control())),
  list("poisson, exposure", rpart(on("cbind(w, events)"), table, method = "poisson", control = control())),
  list("root only", rpart(on("two"), table, control = control(cp = 1))),
  list("numbers only", rpart(score ~ width + length, table, control = control(maxcompete = 0)))
)
text <- function(item) { found <- entry(item[[1]], item[[2]]); content <- found$content; found$content <- NULL; list(found, content) }
invisible(written(cases[[1]][[2]]))  # env has json() then
one <- function(item) {
  found <- text(item)
  body <- env$json(found[[1]])
  paste0(substr(body, 1, nchar(body) - 1), ',"content":', found[[2]], "}")
}
path <- paste0("tests/reference/foreign/rpart-", packageVersion("rpart"), ".json")
writeBin(charToRaw(paste0("[", paste(vapply(cases, one, ""), collapse = ",\n"), "]\n")), path)
