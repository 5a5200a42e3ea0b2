// Bundle: the package for a client. `BundleWriter` packs files that other writers finished, and the photos in an archive of
// their own under their unchanged names, into one ZIP with an index of names, sizes and checksums. Whatever the number of
// photos: one photo is in memory at a time, and the index waits on disk.
