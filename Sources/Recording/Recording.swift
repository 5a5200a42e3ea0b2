// Into Recording come written files and their names; out of it come published files with checksums,
// and later whether they are still as they were. It knows files and locks, and neither the replica
// nor a format.
//
// The command line writes through a
// writer, then, in this order: checks the name (`OutputName`), renames the complete file
// (`OutputCommit`), registers it in the replica (with its `StoragePath` and `FileChecksum`), and
// later compares the file on disk with what was registered (`Verification`). `RunLock` lets only
// one run at a time do so.
