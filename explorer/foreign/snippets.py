"""The lines that write a model of each library into a file that opens here, none of them by pickle."""

from __future__ import annotations

from explorer.foreign.scikit_learn_json import sklearn_ensemble_snippet
from explorer.messages import message
from explorer.tree.from_sklearn_json import sklearn_snippet

H2O_SNIPPET = """\
import json, pathlib, h2o
from h2o.tree import H2OTree
told = h2o.api("GET /3/Models/" + model.model_id)["models"][0]
out, distribution = told["output"], model.actual_params["distribution"]
plain = lambda cells: [None if cell is None or cell != cell else cell for cell in cells]
NODES = ("left_children", "right_children", "features", "thresholds", "nas", "predictions", "left_cat_split", "right_cat_split")
several = out["domains"][-1] if out["model_category"] == "Multinomial" else [None]
tree = lambda number, of: (lambda one: {name: plain(getattr(one, name)) for name in NODES})(H2OTree(model, number, of))
trees = [[tree(number, of) for of in several] for number in range(int(model.summary()["number_of_trees"][0]))]
whole = {"h2o": h2o.__version__, "algo": model.algo, "category": out["model_category"], "distribution": distribution, "init": out["init_f"]}
whole |= {"target": told["response_column_name"], "names": out["names"], "domains": out["domains"], "rounds": trees}
whole |= {"double": bool(model.actual_params.get("binomial_double_trees"))}
pathlib.Path("model.json").write_text(json.dumps(whole))
"""  # noqa: E501 - lines to paste into a notebook
_SAVED_HERE = """\
import json, pathlib
pathlib.Path("tree.json").write_text(json.dumps(tree.to_dict()))
"""
WEKA = "Weka: J48, REPTree"
R = "R: rpart, randomForest, ranger"
R_SNIPPET = r"""fit <- model  # of rpart, randomForest or ranger; no package is needed
quoted <- function(x) vapply(enc2utf8(as.character(x)), function(one) {
  if (is.na(one)) return("null")
  code <- utf8ToInt(one)
  code <- ifelse(code < 32 | code == 34 | code == 92, sprintf("\\u%04x", code), intToUtf8(code, TRUE))
  paste0('"', paste(code, collapse = ""), '"')
}, "", USE.NAMES = FALSE)
json <- function(x) {
  if (!is.list(x)) {
    if (is.logical(x)) x <- as.numeric(x)
    x <- if (is.numeric(x)) ifelse(is.finite(x), sprintf("%.17g", x), "null") else quoted(x)
    return(paste0("[", paste(x, collapse = ","), "]"))
  }
  inner <- vapply(unclass(x), json, "")
  if (is.null(names(x))) return(paste0("[", paste(inner, collapse = ","), "]"))
  paste0("{", paste(quoted(names(x)), inner, sep = ":", collapse = ","), "}")
}
whole <- list(r_model = class(fit)[length(class(fit))], types = as.list(attr(fit$terms, "dataClasses")))
whole$version <- as.character(packageVersion(whole$r_model))
about <- if (is.null(fit$terms)) fit$call[[2]] else fit$terms
has_formula <- inherits(about, "formula") || is.call(about) && about[[1]] == "~"
whole$target <- if (has_formula) deparse(about[[2]])[1] else "target"
part <- c("method", "frame", "splits", "csplit", "control", "parms", "forest", "type", "classes")
whole <- c(whole, unclass(fit)[intersect(part, names(fit))])
whole$split <- rownames(if (is.null(fit$splits)) fit$importance else fit$splits)
if (inherits(fit, "rpart")) whole <- c(whole, list(node = as.numeric(row.names(fit$frame)),
  weights = deparse(fit$call$weights)[1], levels = attr(fit, "xlevels"), classes = attr(fit, "ylevels")))
writeBin(charToRaw(json(whole)), "model.json")
"""


def snippets() -> dict[str, str]:
    """Lines to run after fitting, by the library and what of it is written.

    >>> list(snippets())[1:4], snippets()["LightGBM"].strip()
    (['XGBoost', 'LightGBM', 'CatBoost'], 'model.booster_.save_model("model.txt")')
    """
    return {
        message("A tree or an ensemble grown here"): _SAVED_HERE,
        "XGBoost": 'model.save_model("model.json")\n',
        "LightGBM": 'model.booster_.save_model("model.txt")\n',
        "CatBoost": 'model.save_model("model.json", format="json", pool=pool)\n',
        "ONNX": 'import skl2onnx\nfile = skl2onnx.to_onnx(clf, X[:1].astype("float32")).SerializeToString()\n'
        'open("model.onnx", "wb").write(file)\n',
        "PMML": "from sklearn2pmml import PMMLPipeline, sklearn2pmml\n"
        'sklearn2pmml(PMMLPipeline([("tree", clf)]).fit(X, y), "model.pmml")  # a tree, forest or boosting\n',
        "Spark ML": 'model.write().overwrite().save("model")  # the fitted pipeline, with the names\n'
        'import shutil\nshutil.make_archive("model", "zip", "model")\n',
        "YDF": 'model.save("model")\nimport shutil\nshutil.make_archive("model", "zip", "model")\n',
        "H2O": H2O_SNIPPET,
        "skops": 'import skops.io\nskops.io.dump(clf, "model.skops")\n',
        message("scikit-learn, a tree"): sklearn_snippet(),
        message("scikit-learn, an ensemble"): sklearn_ensemble_snippet(),
        R: R_SNIPPET,
        WEKA: "java -cp weka.jar weka.classifiers.trees.J48 -t table.arff -no-cv > model.txt\n",
    }
