// Writes bytes to a path so that either a complete file appears at it, or none. The code knows
// disks and their errors, and nothing of the files' contents.
