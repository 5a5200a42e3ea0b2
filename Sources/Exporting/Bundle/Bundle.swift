// Bundle: the package for a client. `BundleWriter` packs the files of other writers into one ZIP,
// with the photos in an archive of their own under their unchanged names, and an index of names,
// sizes and checksums. With any number of photos, only one is in memory at a time, and the index
// waits on disk.
