// Computes SHA-256 sums of bytes, given at once or in pieces. It also computes PostgreSQL's hashes,
// which servers can sum, and quick numbers that only notice accidental changes. It uses nettle, and
// knows nothing of the meaning of the bytes.
