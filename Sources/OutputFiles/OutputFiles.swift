// Writes bytes to a path so that either a complete file appears there or none. It knows disks and
// their errors, and nothing of the files' contents.
