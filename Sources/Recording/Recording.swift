// Publishes written files under their final names, with checksums, and later checks that they are
// unchanged. The code knows files and locks, but not the replica or file formats.
//
// The command line writes a file through a writer. Then it checks the name (`OutputName`), renames
// the complete file (`OutputCommit`), and registers it in the replica (with its `StoragePath` and
// `FileChecksum`). Later it compares the file on disk with the registration (`Verification`).
// `RunLock` allows only one run at a time.
