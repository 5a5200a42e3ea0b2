#include <sqlite3.h>

// sqlite3_config takes any number of arguments, which Swift cannot call. Without counts of all memory that is taken, for which every
// allocation waits for one lock.
static inline int csqlite_without_memory_counts(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }
