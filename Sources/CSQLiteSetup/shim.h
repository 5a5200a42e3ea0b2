#include <sqlite3.h>

// sqlite3_config takes any number of arguments, which Swift cannot call. Without counts of all memory that is taken, for which every
// allocation waits for one lock.
static inline int csqlite_without_memory_counts(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

// Nor this one. Triggers and views that stand in a file are code of whoever wrote it: they never run. Temporary views, which are our own, do.
static inline int csqlite_without_foreign_code(sqlite3 *database) {
    int code = sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, (int *)0);
    return code != SQLITE_OK ? code : sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_VIEW, 0, (int *)0);
}
