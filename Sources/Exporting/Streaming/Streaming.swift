// What every writer of bulk rows shares: a buffer of bytes that formats numbers, a second thread that takes the bytes away, and a
// thread that steps the query ahead of the formatting.
