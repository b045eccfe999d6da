"""The stability of the grown tree under resampling: worked out in the job pool, and kept when it is stopped."""
