// Recording: what keeps finished files honest. The command line writes through a writer, then, in this order: checks the name
// (`OutputName`), renames what is complete (`OutputCommit`), registers it in the replica (with its `StoragePath` and `FileChecksum`), and
// later compares what lies there with what was registered (`Verification`). `RunLock` lets one run at a time do so.
//
// Nothing here knows the replica or a format: paths and checksums in, values and `RecordingFailure` out.
