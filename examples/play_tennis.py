# %% [markdown]
# # Play tennis: ID3 by hand
#
# Quinlan's 14 days (1986), as Mitchell (1997, chapter 3) prints them. We work out the split at the root by hand, let
# ID3 do the same, look at every candidate that lost, and compare the tree with CART's.
#
# Run it from the top folder, cell by cell or as a whole: `.venv/bin/python -m examples.play_tennis`

# %%
from fractions import Fraction
from math import log2

import explorer as ex

table = ex.load_sample("play_tennis")
days = ex.Dataset.from_frame(table.frame, target="PlayTennis")
print(table.frame.to_string(index=False))

# %% [markdown]
# ## Impurity of the root
#
# 9 days are Yes and 5 are No. A leaf here would predict Yes and be wrong on 5 of 14 days.


# %%
def entropy(counts):
    """Entropy in bits of a node with these class counts."""
    return -sum(count / sum(counts) * log2(count / sum(counts)) for count in counts if count)


error_of_root = Fraction(5, 14)
gini_of_root = 1 - Fraction(9, 14) ** 2 - Fraction(5, 14) ** 2
entropy_of_root = entropy([9, 5])
print(f"error {error_of_root}, Gini {gini_of_root}, entropy {entropy_of_root:.3f} bits")

# %% [markdown]
# ## Information gain of Outlook, by hand
#
# Outlook splits the 14 days into Sunny (2 Yes, 3 No), Overcast (4, 0) and Rain (3, 2). The gain is the entropy before
# the split minus the mean entropy after it, each branch weighted by its share of the days.

# %%
branches = {"Sunny": [2, 3], "Overcast": [4, 0], "Rain": [3, 2]}
entropy_after = sum(sum(counts) / 14 * entropy(counts) for counts in branches.values())
gain_by_hand = entropy_of_root - entropy_after
print(f"gain(Outlook) = {entropy_of_root:.3f} - {entropy_after:.3f} = {gain_by_hand:.3f} bits")

# %% [markdown]
# ## The same from ID3, with every candidate that lost
#
# `ex.decide` lists all candidates of one node, the winner first.

# %%
id3 = ex.grow(days, ex.ID3)
root = ex.decide(id3, days, node=0)
gains = {candidate.feature: candidate.gain for candidate in root.candidates}
for feature, gain in gains.items():
    print(f"{feature:12} {gain:.3f} bits")
print(f"ID3 splits on {root.chosen.feature}: gain {root.chosen.gain:.3f}, runner-up {root.runner_up.feature}.")

# %% [markdown]
# The whole tree has five leaves and makes no mistake on its training set.

# %%
print(ex.to_text(id3))

# %% [markdown]
# ## Gain ratio
#
# C4.5 divides the gain by the split information, the entropy of the branch sizes: this holds back features with many
# values. Only features whose gain reaches the mean gain compete.

# %%
split_information = root.chosen.split_info
gain_ratio = root.chosen.gain_ratio
print(f"gain ratio(Outlook) = {root.chosen.gain:.3f} / {split_information:.3f} = {gain_ratio:.3f}")
competing = [feature for feature, gain in gains.items() if gain >= root.mean_gain]
print(f"mean gain {root.mean_gain:.3f} bits: {' and '.join(competing)} compete")

# %% [markdown]
# ## CART on the same days
#
# CART splits in two and measures impurity by Gini. Here it compares one value with the rest.

# %%
cart = ex.grow(days, ex.CART.replace(categorical="one_vs_rest"))
print(ex.to_text(cart))
difference = ex.first_difference(id3, cart, days)
print(difference.sentence)

# %% [markdown]
# ## Pruning
#
# Each leaf costs α. As α grows, the weakest links collapse: two nodes at 2/35, the root at 113/980.

# %%
path = ex.cost_complexity_path(cart)
for alpha, leaves, risk in zip(path.alphas, path.n_leaves, path.risks, strict=True):
    print(f"α from {alpha:.4f}: leaves {leaves}, risk {risk:.4f}")

# %% [markdown]
# ## One prediction explained

# %%
first_day = ex.row_path(id3, days, 0)
print(first_day.sentence)
