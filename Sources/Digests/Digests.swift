// Into Digests come bytes, in one piece or in many; out of it come their SHA-256 sums, as bytes
// or as digits, the hashes of PostgreSQL where a server sums them, and quick numbers that only notice
// accidents. It knows nettle, and nothing of what
// the bytes are.
