// Reads a source file independently of the readers, and counts the rows and cells of its tables.
// Compares the result with what a reader returned, and reports every difference. Formats are
// implemented from their specifications; the folder knows none of the readers' code.
