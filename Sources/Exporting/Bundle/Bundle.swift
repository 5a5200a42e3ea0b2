// Bundle: the package for a client. `BundleWriter` packs the files of other writers into one ZIP,
// with an index of names, sizes and checksums. The photos have a separate folder, in which they
// keep their names. With any number of photos, only one is in memory at a time, and the index is on
// disk.
