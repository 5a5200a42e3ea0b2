// Nothing is called by name: the library stands before the C library's own calls (LD_PRELOAD).
