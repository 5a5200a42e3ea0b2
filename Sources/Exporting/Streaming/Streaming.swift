// Streaming: code shared by all writers of large tables. `ByteBuffer` collects formatted bytes,
// `PrefetchingRows` reads rows ahead on one thread, and `BackgroundSink` compresses and writes on
// another.
