// Bundle: the ZIP archive for a client. `BundleWriter` packs files that other writers made, with an
// index of names, sizes and checksums. Photos keep their names, in a separate folder. Only one
// photo at a time is in memory, and the index is written to disk.
