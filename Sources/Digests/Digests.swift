// Into Digests come bytes, in one piece or in many; out of it come their SHA-256 sums, as bytes
// or as digits, numbers of MD5 where another program chose it, and quick numbers that only notice
// accidents. It knows nettle, and nothing of what
// the bytes are.
