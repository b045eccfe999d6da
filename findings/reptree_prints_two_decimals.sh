#!/usr/bin/env bash
# Weka 3.9.7, weka.classifiers.trees.REPTree (needs Java; the archives come from the Python package python-weka-wrapper3 0.3.3).
#
# Expected: the printed tree is the tree, so whoever reads it sends each training row where Weka sends it.
# Seen: thresholds are printed with two decimals, whatever the unit. On x = 0.001 … 0.020 the split lies at 0.0105 and all
# rows are right in Weka, but the text says "x < 0.01": one row, 0.010, goes to the other side. J48 prints six decimals.
# Ends with 1 where that is no longer so.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv env
env/bin/pip download --quiet --no-deps python-weka-wrapper3==0.3.3 2>/dev/null
tar xzf python_weka_wrapper3-0.3.3.tar.gz
jars=$(ls "$PWD"/python_weka_wrapper3-0.3.3/python/weka/lib/*.jar | tr '\n' ':')
{
  printf '@relation t\n@attribute x numeric\n@attribute y {a,b}\n@data\n'
  for k in $(seq 1 20); do printf '0.%03d,%s\n' "$k" "$([ "$k" -le 10 ] && echo a || echo b)"; done
} >t.arff
java -cp "$jars" weka.classifiers.trees.REPTree -P -M 1 -t t.arff -no-cv >out.txt 2>/dev/null
grep -E "^x|^Correctly" out.txt
grep -q "^x < 0.01 : a" out.txt || exit 1
grep -q "^Correctly Classified Instances *20 " out.txt || exit 1
wrong=$(awk -F, '/^0/ { said = ($1 < 0.01) ? "a" : "b"; if (said != $2) n++ } END { print n + 0 }' t.arff)
echo "rows that the printed test sends elsewhere: $wrong"
[ "$wrong" -eq 1 ]
