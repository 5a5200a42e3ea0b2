// Streaming: the common parts of all writers of bulk rows. A buffer of bytes formats numbers, one
// thread reads the next rows ahead of the formatting, and another compresses and writes the bytes.
