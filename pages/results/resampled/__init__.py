"""Whether other rows would give the same splits: trees grown on resamples in the job pool, and near ties."""
