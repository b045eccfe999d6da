"""What the scenes of the Learn page work out, kept for all sessions."""
