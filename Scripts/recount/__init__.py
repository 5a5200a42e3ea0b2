"""Figures of reports, counted a second time: from the replica's tables in Python, without the packs' SQL."""
