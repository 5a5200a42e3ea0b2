// Breaks one call of a program that writes. A test names the call by its number, so that it need
// not wait for a moment. The program is started with LD_PRELOAD set to this library and with these
// variables:
//
//   BREAK_PATHS    which files: a pattern of fnmatch that whole paths must match
//   BREAK_CALLS    which calls: some of "write sync truncate rename unlink link create"; all of
//                  them if the variable is missing; "read" only if it is named
//   BREAK_AT       the number of the call, counted from 1 over all threads and processes that
//                  share the counter
//   BREAK_HOW      what happens at this call. kill: the process ends before it. term, int, hup,
//                  stop: the process gets that signal, and the call works. fault: this call fails
//                  with EIO. lost: this call says that it wrote, and did not. full: this call and
//                  every later one that needs room fail with ENOSPC.
//                  Without this variable, the calls are only counted.
//   BREAK_COUNTER  a file of eight bytes for the number of calls, or of sixteen, which also has
//                  the number of broken calls
//   BREAK_CLASS    BREAK_AT counts only calls of this class. Calls of one class have the same
//                  kind, the same shape of the path and the same callers. With full, the disk is
//                  full from that call on.
//   BREAK_TRACE    a file that gets a line for each call: its class, whether it needs room, its
//                  kind and its path
#define _GNU_SOURCE
#include <ctype.h>
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

static const char *paths, *calls, *how;
static unsigned long long at, class;
static atomic_ullong own_counters[2], *counter = own_counters, class_counter;
static atomic_int is_full;
static int trace = -1;

static ssize_t (*real_write)(int, const void *, size_t);
static ssize_t (*real_writev)(int, const struct iovec *, int);
static ssize_t (*real_pwrite)(int, const void *, size_t, off_t);
static ssize_t (*real_read)(int, void *, size_t), (*real_pread)(int, void *, size_t, off_t);
static int (*real_fsync)(int), (*real_fdatasync)(int), (*real_ftruncate)(int, off_t);
static int (*real_rename)(const char *, const char *), (*real_unlink)(const char *), (*real_link)(const char *, const char *);
static int (*real_open)(const char *, int, ...), (*real_openat)(int, const char *, int, ...);

// Other libraries may open files before this function is called as a constructor.
__attribute__((constructor)) static void begin(void) {
    if (real_openat) return;
    real_write = dlsym(RTLD_NEXT, "write");
    real_writev = dlsym(RTLD_NEXT, "writev");
    real_pwrite = dlsym(RTLD_NEXT, "pwrite64");
    real_read = dlsym(RTLD_NEXT, "read");
    real_pread = dlsym(RTLD_NEXT, "pread64");
    real_fsync = dlsym(RTLD_NEXT, "fsync");
    real_fdatasync = dlsym(RTLD_NEXT, "fdatasync");
    real_ftruncate = dlsym(RTLD_NEXT, "ftruncate64");
    real_rename = dlsym(RTLD_NEXT, "rename");
    real_unlink = dlsym(RTLD_NEXT, "unlink");
    real_link = dlsym(RTLD_NEXT, "link");
    real_open = dlsym(RTLD_NEXT, "open64");
    real_openat = dlsym(RTLD_NEXT, "openat64");
    calls = getenv("BREAK_CALLS");
    how = getenv("BREAK_HOW");
    const char *number = getenv("BREAK_AT"), *file = getenv("BREAK_COUNTER");
    at = number ? strtoull(number, NULL, 10) : 0;
    int shared = file ? real_open(file, O_RDWR) : -1;
    if (shared >= 0) {
        void *memory = mmap(NULL, sizeof own_counters, PROT_READ | PROT_WRITE, MAP_SHARED, shared, 0);
        if (memory != MAP_FAILED) counter = memory;
        close(shared);
    }
    const char *wanted = getenv("BREAK_CLASS"), *lines = getenv("BREAK_TRACE");
    class = wanted ? strtoull(wanted, NULL, 16) : 0;
    trace = lines ? real_open(lines, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600) : -1;
    void *frame;
    // The first call of `backtrace` loads a library.
    if (class || trace >= 0) backtrace(&frame, 1);
    paths = getenv("BREAK_PATHS");
}

static unsigned long long mix(unsigned long long sum, unsigned long long value) { return (sum ^ value) * 1099511628211ULL; }

/// The class of a call: its kind, the shape of the file's name, and its callers. It is never 0.
static unsigned long long class_of(const char *call, const char *path) {
    unsigned long long sum = 14695981039346656037ULL;
    for (const char *byte = call; *byte; byte++) sum = mix(sum, *byte);
    // Each test has its own folder, so the beginning of the path is left out.
    size_t start = strcspn(paths, "*?[");
    if (strlen(path) < start) start = 0;
    // Random and numbered names must have the same shape. So a run of letters and digits counts as
    // one mark, and only the characters between such runs count.
    for (const char *byte = path + start; *byte; byte++) {
        if (!isalnum((unsigned char)*byte)) sum = mix(sum, *byte);
        else if (!isalnum((unsigned char)byte[1])) sum = mix(sum, '#');
    }
    void *frames[64];
    int count = backtrace(frames, 64);
    // The place in a library is the same in each process. `dladdr` would look through all its symbols.
    struct dl_find_object library;
    for (int index = 2; index < count; index++) {
        if (_dl_find_object(frames[index], &library) == 0) sum = mix(sum, (char *)frames[index] - (char *)library.dlfo_map_start);
    }
    return sum ? sum : 1;
}

static void tell(unsigned long long class, int needs_room, const char *call, const char *path) {
    char line[2 * PATH_MAX + 64];
    int length = snprintf(line, sizeof line, "%016llx %d %s %s\n", class, needs_room, call, path);
    if (length > 0) real_write(trace, line, length);
}

enum { WORKS, FAILS, LOSES };

/// Returns what this call must do, and sets errno if it must fail.
static int breaks(const char *call, const char *path, int needs_room) {
    if (!paths || fnmatch(paths, path, 0) != 0 || (calls && !strstr(calls, call))) return 0;
    unsigned long long number = atomic_fetch_add(counter, 1) + 1;
    unsigned long long own = (class || trace >= 0) && !atomic_load(&is_full) ? class_of(call, path) : 0;
    if (trace >= 0) tell(own, needs_room, call, path);
    if (!how || !at) return 0;
    if (class) number = own == class ? atomic_fetch_add(&class_counter, 1) + 1 : 0;
    if (strcmp(how, "full") == 0) {
        if (number >= at) atomic_store(&is_full, 1);
        if (!atomic_load(&is_full)) return 0;
        if (needs_room) atomic_fetch_add(counter + 1, 1);
        errno = ENOSPC;
        return needs_room;
    }
    if (number != at) return 0;
    atomic_fetch_add(counter + 1, 1);
    if (strcmp(how, "kill") == 0) kill(getpid(), SIGKILL);
    if (strcmp(how, "term") == 0) kill(getpid(), SIGTERM);
    if (strcmp(how, "int") == 0) kill(getpid(), SIGINT);
    if (strcmp(how, "hup") == 0) kill(getpid(), SIGHUP);
    if (strcmp(how, "stop") == 0) kill(getpid(), SIGSTOP);
    if (strcmp(how, "lost") == 0) return needs_room ? LOSES : WORKS;
    errno = EIO;
    return strcmp(how, "fault") == 0 ? FAILS : WORKS;
}

static int breaks_at(const char *call, int descriptor, int needs_room) {
    begin();
    if (!paths) return 0;
    char link[40], path[PATH_MAX + 1];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    int before = errno;
    ssize_t length = readlink(link, path, PATH_MAX);
    errno = before;
    if (length <= 0) return 0;
    path[length] = 0;
    return breaks(call, path, needs_room);
}

static int breaks_by_name(const char *call, const char *path, int needs_room) {
    begin();
    if (!paths) return 0;
    char whole[2 * PATH_MAX + 2], folder[PATH_MAX + 1];
    if (path[0] != '/' && getcwd(folder, sizeof folder)) {
        snprintf(whole, sizeof whole, "%s/%s", folder, path);
        path = whole;
    }
    return breaks(call, path, needs_room);
}

static int breaks_reading(int descriptor) { begin(); return calls && strstr(calls, "read") && breaks_at("read", descriptor, 0); }

ssize_t read(int descriptor, void *bytes, size_t count) { return breaks_reading(descriptor) ? -1 : real_read(descriptor, bytes, count); }

ssize_t pread64(int descriptor, void *bytes, size_t count, off64_t offset) {
    return breaks_reading(descriptor) ? -1 : real_pread(descriptor, bytes, count, offset);
}

ssize_t pread(int descriptor, void *bytes, size_t count, off_t offset) { return pread64(descriptor, bytes, count, offset); }

ssize_t write(int descriptor, const void *bytes, size_t count) {
    switch (breaks_at("write", descriptor, 1)) {
    case FAILS: return -1;
    case LOSES: lseek(descriptor, count, SEEK_CUR); return count;
    default: return real_write(descriptor, bytes, count);
    }
}

ssize_t writev(int descriptor, const struct iovec *parts, int count) {
    return breaks_at("write", descriptor, 1) ? -1 : real_writev(descriptor, parts, count);
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off64_t offset) {
    switch (breaks_at("write", descriptor, 1)) {
    case FAILS: return -1;
    case LOSES: return count;
    default: return real_pwrite(descriptor, bytes, count, offset);
    }
}

ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset) { return pwrite64(descriptor, bytes, count, offset); }

int fsync(int descriptor) { return breaks_at("sync", descriptor, 0) ? -1 : real_fsync(descriptor); }

int fdatasync(int descriptor) { return breaks_at("sync", descriptor, 0) ? -1 : real_fdatasync(descriptor); }

int ftruncate64(int descriptor, off64_t length) { return breaks_at("truncate", descriptor, 1) ? -1 : real_ftruncate(descriptor, length); }

int ftruncate(int descriptor, off_t length) { return ftruncate64(descriptor, length); }

int rename(const char *from, const char *to) { return breaks_by_name("rename", to, 0) ? -1 : real_rename(from, to); }

int unlink(const char *path) { return breaks_by_name("unlink", path, 0) ? -1 : real_unlink(path); }

int link(const char *from, const char *to) { return breaks_by_name("link", to, 1) ? -1 : real_link(from, to); }

/// Only a call that may make a file counts here, not one that opens a file to read it.
int openat64(int folder, const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    begin();
    return (flags & O_CREAT) && breaks_by_name("create", path, 1) ? -1 : real_openat(folder, path, flags, mode);
}

int openat(int folder, const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    return openat64(folder, path, flags, mode);
}

int open64(const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    begin();
    return (flags & O_CREAT) && breaks_by_name("create", path, 1) ? -1 : real_open(path, flags, mode);
}

int open(const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    return open64(path, flags, mode);
}
