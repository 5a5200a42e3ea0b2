// Publishes written files under their names, with checksums, and later checks that they are
// unchanged. It knows files and locks, and neither the replica nor a format.
//
// The command line writes a file through a writer. Then it checks the name (`OutputName`), renames
// the complete file (`OutputCommit`), and registers it in the replica (with its `StoragePath` and
// `FileChecksum`). Later it compares the file on disk with the registration (`Verification`).
// `RunLock` allows only one run at a time.
