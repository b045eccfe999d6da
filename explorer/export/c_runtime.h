/* What `to_c` copies below the tables of a tree.

   tree_nodes has for every node its test (none for a leaf: -1), how many surrogates follow that test, and the nodes of
   rows without a value and with an unseen one: the node itself where they stop, -1 where they follow every branch. A
   test of kind UP_TO has `count` upper bounds from `start` in tree_numbers on; of kind NUMBERS or TEXTS so many values.
   Its children stand in tree_children from `child` on: -1 for a value without a branch. */

/* What follows is copied. */
static int tree_child(const struct tree_test *test, const tree_cell *row, int *is_missing) {
    const tree_cell *cell = &row[test->column];
    int place = 0;
    *is_missing = test->kind == TREE_TEXTS ? cell->text == NULL : isnan(cell->number);
    if (*is_missing) return -1;
    if (test->kind == TREE_UP_TO) {
        while (place < test->count && cell->number > tree_numbers[test->start + place]) place++;
        return tree_children[test->child + place];
    }
    for (; place < test->count; place++) {
        if (test->kind == TREE_TEXTS ? !strcmp(cell->text, tree_texts[test->start + place])
                                     : cell->number == tree_numbers[test->start + place])
            return tree_children[test->child + place];
    }
    return -1;
}

static int tree_next(int node, const tree_cell *row) {
    const struct tree_node *at = &tree_nodes[node];
    int is_missing, other, to = tree_child(&tree_tests[at->test], row, &is_missing);
    if (!is_missing) return to >= 0 ? to : at->unseen;
    for (other = 1; other <= at->surrogates; other++) {
        to = tree_child(&tree_tests[at->test + other], row, &is_missing);
        if (to >= 0) return to;
    }
    return at->missing;
}

static void tree_visit(int node, double part, int is_spread, const tree_cell *row, struct tree_mixture *mixture) {
    int k, to;
    while (tree_nodes[node].test >= 0 && (to = tree_next(node, row)) != node) {
        if (to < 0) {
            for (k = 0; k < tree_nodes[node].branches; k++) {
                double share = tree_parts[tree_nodes[node].first + k];
                if (share > 0) tree_visit(tree_nodes[node].first + k, part * share, 1, row, mixture);
            }
            return;
        }
        node = to;
    }
    mixture->number += part * tree_answers[node];
    if (!is_spread) mixture->whole = node;
    for (k = 0; k < TREE_CLASSES; k++) {
        mixture->shares[k] += part * tree_shares[node * TREE_WIDTH + k];
        mixture->probabilities[k] += part * tree_smoothed[node * TREE_WIDTH + k];
    }
}

static double tree_predict(const tree_cell *row, double *probabilities) {
    struct tree_mixture mixture = {0};
    double best = 0;
    int k, j, chosen = -1;
    mixture.whole = -1;
    tree_visit(0, 1.0, 0, row, &mixture);
    for (k = 0; k < TREE_CLASSES && probabilities; k++) probabilities[k] = mixture.probabilities[k];
    if (TREE_CLASSES == 0) return mixture.number;
    if (mixture.whole >= 0) return tree_answers[mixture.whole];
    for (k = 0; k < TREE_CLASSES; k++) {
        double loss = -mixture.shares[k];
        for (j = 0, loss = TREE_COSTS ? 0 : loss; j < TREE_CLASSES && TREE_COSTS; j++)
            loss += mixture.shares[j] * tree_costs[j * TREE_WIDTH + k];
        if (chosen < 0 || loss < best - (TREE_COSTS ? best : 1.0) * 1e-10) {
            best = loss;
            chosen = k;
        }
    }
    return chosen;
}
