#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

// sqlite3_config takes any number of arguments, which Swift cannot call. Without counts of all memory that is taken, for which every
// allocation waits for one lock.
static inline int csqlite_without_memory_counts(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

// Nor this one. Triggers and views that stand in a file are code of whoever wrote it: they never run. Temporary views, which are our own, do.
static inline int csqlite_without_foreign_code(sqlite3 *database) {
    int code = sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, (int *)0);
    return code != SQLITE_OK ? code : sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_VIEW, 0, (int *)0);
}

// SQL that a person writes: what stands in double quotes is a name, never a text, and nothing can write into the schema.
static inline int csqlite_strict(sqlite3 *database) {
    int code = sqlite3_db_config(database, SQLITE_DBCONFIG_DQS_DML, 0, (int *)0);
    return code != SQLITE_OK ? code : sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
}

// A connection that is opened through this has a clock of its own, which stands still: what SQL calls `now` is the time of the run.
struct csqlite_clock {
    sqlite3_vfs vfs;
    sqlite3_int64 milliseconds;
    char name[40];
};

static inline int csqlite_now(sqlite3_vfs *vfs, sqlite3_int64 *milliseconds) {
    *milliseconds = ((struct csqlite_clock *)vfs)->milliseconds;
    return SQLITE_OK;
}

static inline int csqlite_today(sqlite3_vfs *vfs, double *days) {
    *days = ((struct csqlite_clock *)vfs)->milliseconds / 86400000.0;
    return SQLITE_OK;
}

// SQLite counts from the noon of 24 November 4714 BC. Null without memory. It must outlive the connections that are opened through it.
static inline sqlite3_vfs *csqlite_start_clock(sqlite3_int64 unix_milliseconds) {
    sqlite3_vfs *usual = sqlite3_vfs_find((const char *)0);
    struct csqlite_clock *clock = usual ? calloc(1, sizeof *clock) : (struct csqlite_clock *)0;
    if (!clock) return (sqlite3_vfs *)0;
    clock->vfs = *usual;
    clock->vfs.pNext = (sqlite3_vfs *)0;
    clock->milliseconds = 210866760000000 + unix_milliseconds;
    snprintf(clock->name, sizeof clock->name, "clock-%p", (void *)clock);
    clock->vfs.zName = clock->name;
    clock->vfs.xCurrentTime = csqlite_today;
    clock->vfs.xCurrentTimeInt64 = csqlite_now;
    if (sqlite3_vfs_register(&clock->vfs, 0) == SQLITE_OK) return &clock->vfs;
    free(clock);
    return (sqlite3_vfs *)0;
}

static inline void csqlite_end_clock(sqlite3_vfs *clock) {
    if (!clock) return;
    sqlite3_vfs_unregister(clock);
    free(clock);
}
