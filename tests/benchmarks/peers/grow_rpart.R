# Seconds that rpart takes to grow a tree on the CSV file given, target last; and its leaves.
#
#     Rscript grow_rpart.R TABLE.csv class|anova
suppressMessages(library(rpart))

arguments <- commandArgs(trailingOnly = TRUE)
table <- read.csv(arguments[1], stringsAsFactors = TRUE)
if (arguments[2] == "class") table$target <- factor(table$target)
control <- rpart.control(cp = 0, minsplit = 20, minbucket = 7, xval = 0, maxcompete = 0, maxsurrogate = 0, usesurrogate = 0)
seconds <- system.time(fit <- rpart(target ~ ., table, method = arguments[2], control = control))[["elapsed"]]
cat(seconds, sum(fit$frame$var == "<leaf>"), "\n")
