"""Pictures of lessons about pruning: small trees that lose branches, and the losses that decide about them."""
