/* Makes system calls on the files below one directory fail: a library for LD_PRELOAD, which `fault.rs` compiles.
 *
 * FAULT_BELOW  the directory
 * FAULT_CALLS  the names of the calls, as `,pwrite64,fdatasync,`
 * FAULT_ERRNO  the number of the error
 * FAULT_FROM   the first of these calls that fails, from 1 (with FAULT_SHORT, the one before that)
 * FAULT_COUNT  how many fail; then the disk is well again
 * FAULT_SHORT  if it is there, the call before these, if it is a write, writes a half
 * FAULT_LOG    a file outside of the directory, which gets a line for each failure
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static const char *below, *calls, *journal;
static long from, count;
static int error, is_short;
static atomic_long seen;

static long number(const char *name) {
    const char *text = getenv(name);
    return text ? atol(text) : 0;
}

__attribute__((constructor)) static void begin(void) {
    below = getenv("FAULT_BELOW"), calls = getenv("FAULT_CALLS"), journal = getenv("FAULT_LOG");
    error = number("FAULT_ERRNO"), from = number("FAULT_FROM"), count = number("FAULT_COUNT");
    is_short = getenv("FAULT_SHORT") != NULL;
}

static int is_meant(const char *call, const char *path) {
    char name[64];
    size_t length = below ? strlen(below) : 0;
    snprintf(name, sizeof name, ",%s,", call);
    return length && calls && strstr(calls, name) && !strncmp(path, below, length) && path[length] == '/';
}

enum { WELL, FAILS, HALF };

/* What this call on this file does. */
static int fate(const char *call, const char *path) {
    if (!is_meant(call, path)) return WELL;
    long nth = atomic_fetch_add(&seen, 1) + 1;
    if (is_short && nth == from) return HALF;
    if (nth < from + is_short || nth - from - is_short >= count) return WELL;
    char line[4200];
    int length = snprintf(line, sizeof line, "%ld %s %s\n", nth, call, path);
    int file = syscall(SYS_openat, AT_FDCWD, journal, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (file >= 0) {
        syscall(SYS_write, file, line, (size_t)length);
        syscall(SYS_close, file);
    }
    errno = error;
    return FAILS;
}

static int fate_on(const char *call, int file) {
    char name[40], path[4096];
    snprintf(name, sizeof name, "/proc/self/fd/%d", file);
    ssize_t length = syscall(SYS_readlink, name, path, sizeof path - 1);
    if (length < 0) return WELL;
    path[length] = 0;
    return fate(call, path);
}

static int fails_on(const char *call, int file) { return fate_on(call, file) == FAILS; }

/* How much of a write is written; 0 if it fails. */
static size_t part(int fate, size_t length) {
    return fate == WELL ? length : fate == HALF ? (length + 1) / 2 : 0;
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

ssize_t pread64(int file, void *bytes, size_t length, off64_t at) {
    return fails_on("pread64", file) ? -1 : NEXT(pread64)(file, bytes, length, at);
}

ssize_t read(int file, void *bytes, size_t length) {
    return fails_on("read", file) ? -1 : NEXT(read)(file, bytes, length);
}

ssize_t pwrite64(int file, const void *bytes, size_t length, off64_t at) {
    size_t most = part(fate_on("pwrite64", file), length);
    return most || !length ? NEXT(pwrite64)(file, bytes, most, at) : -1;
}

ssize_t write(int file, const void *bytes, size_t length) {
    size_t most = part(fate_on("write", file), length);
    return most || !length ? NEXT(write)(file, bytes, most) : -1;
}

int fsync(int file) { return fails_on("fsync", file) ? -1 : NEXT(fsync)(file); }

int fdatasync(int file) { return fails_on("fdatasync", file) ? -1 : NEXT(fdatasync)(file); }

int ftruncate64(int file, off64_t length) { return fails_on("ftruncate64", file) ? -1 : NEXT(ftruncate64)(file, length); }

int sync_file_range(int file, off64_t at, off64_t length, unsigned flags) {
    return fails_on("sync_file_range", file) ? -1 : NEXT(sync_file_range)(file, at, length, flags);
}

int open64(const char *path, int flags, ...) {
    va_list more;
    va_start(more, flags);
    int mode = va_arg(more, int);
    va_end(more);
    return fate("open64", path) == FAILS ? -1 : NEXT(open64)(path, flags, mode);
}
