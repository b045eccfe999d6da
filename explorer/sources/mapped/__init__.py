"""A counting engine over files of codes and numbers on the local disk, counted by compiled loops."""
