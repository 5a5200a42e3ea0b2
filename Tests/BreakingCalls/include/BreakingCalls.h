// This header is empty, because no code calls the library by name. It replaces calls of the C
// library (LD_PRELOAD).
