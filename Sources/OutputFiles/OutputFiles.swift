// Into OutputFiles come bytes, and the path where they belong; out of it come a complete file, or
// none. It knows disks and their errors, and nothing of what is in the files.
