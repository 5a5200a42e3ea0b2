// Computes SHA-256 sums of bytes, given at once or in pieces; PostgreSQL's hashes, which servers
// can sum; and fast hashes that only detect accidental changes. The code uses nettle, and knows
// nothing of the meaning of the bytes.
