// Loaded into the launcher with LD_PRELOAD. Records every change to a file below KIT_SOAK_DIR in order, and every
// acknowledgement immediately before it is sent. Makes calls on those files fail as KIT_SOAK_FAULT says. shim.ts reads the record.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define DESCRIPTORS_MAX 65536
#define SHORT (-1)

static char folder[PATH_MAX];
static int record_fd = -1;
static const char *kill_asked;
/** Inode of the file behind each descriptor; 0 if the file is not recorded. */
static int64_t file_of[DESCRIPTORS_MAX];
static dev_t device_of[DESCRIPTORS_MAX];
/** Makes a change and its record one step, so that the record has the true order. */
static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

// --- The record

static void note(char kind, int64_t file, int64_t offset, const struct iovec *parts, int count, int64_t length) {
  if (record_fd < 0) return;
  int before = errno;
  int64_t head[4] = {kind, file, offset, length};
  struct iovec all[IOV_MAX];
  all[0] = (struct iovec){head, sizeof head};
  int used = 1;
  for (int64_t left = length; left > 0 && used <= count && used < IOV_MAX; used += 1) {
    size_t bytes = parts[used - 1].iov_len < (size_t)left ? parts[used - 1].iov_len : (size_t)left;
    all[used] = (struct iovec){parts[used - 1].iov_base, bytes};
    left -= bytes;
  }
  if (syscall(SYS_writev, record_fd, all, used) < (long)(sizeof head + length)) abort();
  errno = before;
}

static void note_text(char kind, int64_t file, const char *text, size_t length) {
  struct iovec part = {(void *)text, length};
  note(kind, file, 0, &part, 1, length);
}

// --- Faults: "<call> <errno or short> <every n-th call: n | with this probability: p> <number> <seed>"

static struct { char call[16], what[16], mode; double number; const char *armed; } fault;
static uint64_t chance;
static int64_t calls;

/** Returns how this call must fail: an errno, SHORT, or 0 for no fault. Faults happen only while the file KIT_SOAK_ARMED exists. */
static int fault_of(const char *call) {
  if (strcmp(fault.call, call) != 0 || syscall(SYS_faccessat, AT_FDCWD, fault.armed, F_OK) != 0) return 0;
  calls += 1;
  chance ^= chance << 13, chance ^= chance >> 7, chance ^= chance << 17;
  int is_hit = fault.mode == 'n' ? calls % (int64_t)fault.number == 0 : (chance >> 11) * 0x1p-53 < fault.number;
  if (!is_hit) return 0;
  note_text('x', 0, call, strlen(call));
  return strcmp(fault.what, "short") == 0 ? SHORT : atoi(fault.what);
}

/** Locks, and returns the result of `fault_of`; sets errno if the call must fail. The caller always unlocks with `end`. */
static int begin(const char *call) {
  pthread_mutex_lock(&one_at_a_time);
  int what = fault_of(call);
  if (what > 0) errno = what;
  return what;
}

/** Unlocks. Kills the process if the file KIT_SOAK_KILL exists: here every change has been recorded. */
static void end(void) {
  if (kill_asked != NULL && syscall(SYS_faccessat, AT_FDCWD, kill_asked, F_OK) == 0) kill(getpid(), SIGKILL);
  pthread_mutex_unlock(&one_at_a_time);
}

__attribute__((constructor)) static void prepare(void) {
  const char *dir = getenv("KIT_SOAK_DIR"), *record = getenv("KIT_SOAK_RECORD"), *words = getenv("KIT_SOAK_FAULT");
  // Child processes of the launcher are not recorded.
  unsetenv("LD_PRELOAD");
  if (dir != NULL) strncpy(folder, dir, sizeof folder - 1);
  if (record != NULL) record_fd = syscall(SYS_openat, AT_FDCWD, record, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  kill_asked = getenv("KIT_SOAK_KILL");
  fault.armed = getenv("KIT_SOAK_ARMED");
  unsigned long seed = 1;
  if (words != NULL) sscanf(words, "%15s %15s %c %lf %lu", fault.call, fault.what, &fault.mode, &fault.number, &seed);
  chance = (seed + 1) * 0x9e3779b97f4a7c15u;
}

// --- Which files are recorded

/** Returns the absolute path if it is in the folder, otherwise NULL. Skips the -shm file, which SQLite rebuilds at each start. */
static const char *ours(int at, const char *path, char whole[2 * PATH_MAX]) {
  size_t length = strlen(folder);
  if (length == 0) return NULL;
  whole[0] = 0;
  if (path[0] != '/') {
    char link[64];
    snprintf(link, sizeof link, at == AT_FDCWD ? "/proc/self/cwd" : "/proc/self/fd/%d", at);
    ssize_t got = syscall(SYS_readlinkat, AT_FDCWD, link, whole, PATH_MAX);
    if (got < 0) return NULL;
    whole[got] = '/', whole[got + 1] = 0;
  }
  strncat(whole, path, PATH_MAX - 1);
  if (strncmp(whole, folder, length) != 0 || (whole[length] != 0 && whole[length] != '/')) return NULL;
  size_t end = strlen(whole);
  return end > 4 && strcmp(whole + end - 4, "-shm") == 0 ? NULL : whole;
}

/** Asks the kernel each time: libuv closes some descriptors without libc, and the kernel may reuse their numbers for sockets. */
static int64_t file_at(int fd) {
  if (fd < 0 || fd >= DESCRIPTORS_MAX || file_of[fd] == 0) return 0;
  struct stat stats;
  int is_still = fstat(fd, &stats) == 0 && (int64_t)stats.st_ino == file_of[fd] && stats.st_dev == device_of[fd];
  if (!is_still) file_of[fd] = 0;
  return file_of[fd];
}

// --- The calls. Each makes the same system call as libc.

#define MODE_OF(flags) \
  va_list rest; \
  va_start(rest, flags); \
  mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(rest, mode_t) : 0; \
  va_end(rest);

int openat(int at, const char *path, int flags, ...) {
  MODE_OF(flags)
  char whole[2 * PATH_MAX];
  const char *name = ours(at, path, whole);
  if (name == NULL) return syscall(SYS_openat, at, path, flags, mode);
  int fd = -1;
  if (begin("open") == 0) {
    int existed = syscall(SYS_faccessat, AT_FDCWD, name, F_OK) == 0;
    fd = syscall(SYS_openat, at, path, flags, mode);
    struct stat stats;
    if (fd >= 0 && fd < DESCRIPTORS_MAX && fstat(fd, &stats) == 0) {
      file_of[fd] = stats.st_ino, device_of[fd] = stats.st_dev;
      if (S_ISREG(stats.st_mode) && !existed) note_text('o', stats.st_ino, name, strlen(name));
      if (S_ISREG(stats.st_mode) && existed && (flags & O_TRUNC)) note('t', stats.st_ino, 0, NULL, 0, 0);
    }
  }
  end();
  return fd;
}

int open(const char *path, int flags, ...) {
  MODE_OF(flags)
  return openat(AT_FDCWD, path, flags, mode);
}

int close(int fd) {
  if (fd >= 0 && fd < DESCRIPTORS_MAX) file_of[fd] = 0;
  return syscall(SYS_close, fd);
}

/** Writes at `offset`, or at the current position if `offset` is -1. */
static ssize_t write_parts(int fd, const struct iovec *parts, int count, off_t offset) {
  int64_t file = file_at(fd);
  static const char acknowledged[] = "HTTP/1.1 202";
  size_t length = sizeof acknowledged - 1;
  if (file == 0 && count > 0 && parts[0].iov_len >= length && memcmp(parts[0].iov_base, acknowledged, length) == 0) {
    int64_t bytes = 0;
    for (int at = 0; at < count; at += 1) bytes += parts[at].iov_len;
    pthread_mutex_lock(&one_at_a_time);
    note('a', 0, 0, parts, count, bytes);
    end();
  }
  if (file == 0) return offset < 0 ? syscall(SYS_writev, fd, parts, count) : syscall(SYS_pwritev, fd, parts, count, offset, 0);
  ssize_t wrote = -1;
  int what = begin("write");
  struct iovec half = {parts[0].iov_base, (parts[0].iov_len + 1) / 2};
  if (what == SHORT) parts = &half, count = 1;
  if (what <= 0) {
    wrote = offset < 0 ? syscall(SYS_writev, fd, parts, count) : syscall(SYS_pwritev, fd, parts, count, offset, 0);
    off_t at = offset < 0 ? syscall(SYS_lseek, fd, 0, SEEK_CUR) - wrote : offset;
    if (wrote > 0) note('w', file, at, parts, count, wrote);
  }
  end();
  return wrote;
}

ssize_t writev(int fd, const struct iovec *parts, int count) { return write_parts(fd, parts, count, -1); }
ssize_t pwritev(int fd, const struct iovec *parts, int count, off_t offset) { return write_parts(fd, parts, count, offset); }
ssize_t write(int fd, const void *bytes, size_t length) {
  struct iovec part = {(void *)bytes, length};
  return write_parts(fd, &part, 1, -1);
}
ssize_t pwrite(int fd, const void *bytes, size_t length, off_t offset) {
  struct iovec part = {(void *)bytes, length};
  return write_parts(fd, &part, 1, offset);
}

static ssize_t read_parts(int fd, const struct iovec *parts, int count, off_t offset) {
  int what = 0;
  struct iovec half;
  if (fault.call[0] == 'r' && count > 0 && file_at(fd) != 0) {
    what = begin("read");
    end();
    half = (struct iovec){parts[0].iov_base, (parts[0].iov_len + 1) / 2};
    if (what == SHORT) parts = &half, count = 1;
  }
  if (what > 0) return -1;
  return offset < 0 ? syscall(SYS_readv, fd, parts, count) : syscall(SYS_preadv, fd, parts, count, offset, 0);
}

ssize_t readv(int fd, const struct iovec *parts, int count) { return read_parts(fd, parts, count, -1); }
ssize_t preadv(int fd, const struct iovec *parts, int count, off_t offset) { return read_parts(fd, parts, count, offset); }
ssize_t read(int fd, void *bytes, size_t length) {
  struct iovec part = {bytes, length};
  return read_parts(fd, &part, 1, -1);
}
ssize_t pread(int fd, void *bytes, size_t length, off_t offset) {
  struct iovec part = {bytes, length};
  return read_parts(fd, &part, 1, offset);
}

/** Records the start of a sync as well as its end: the sync covers what was written before its start. Other calls are not blocked meanwhile. */
static int sync_through(int fd, long number) {
  int64_t file = file_at(fd);
  if (file == 0) return syscall(number, fd);
  struct stat stats;
  char link[64], path[PATH_MAX] = "";
  int64_t thread = syscall(SYS_gettid);
  if (fstat(fd, &stats) == 0 && S_ISDIR(stats.st_mode)) {
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    syscall(SYS_readlinkat, AT_FDCWD, link, path, sizeof path - 1);
  }
  int what = begin("sync");
  if (path[0] == 0) note('b', file, thread, NULL, 0, 0);
  end();
  int result = what > 0 ? -1 : (int)syscall(number, fd);
  pthread_mutex_lock(&one_at_a_time);
  if (path[0] == 0) note(result == 0 ? 's' : 'f', file, thread, NULL, 0, 0);
  else if (result == 0) note_text('d', file, path, strlen(path));
  end();
  return result;
}

int fsync(int fd) { return sync_through(fd, SYS_fsync); }
int fdatasync(int fd) { return sync_through(fd, SYS_fdatasync); }

int ftruncate(int fd, off_t size) {
  int64_t file = file_at(fd);
  if (file == 0) return syscall(SYS_ftruncate, fd, size);
  int result = begin("truncate") > 0 ? -1 : (int)syscall(SYS_ftruncate, fd, size);
  if (result == 0) note('t', file, size, NULL, 0, 0);
  end();
  return result;
}

int rename(const char *from, const char *to) {
  char whole_from[2 * PATH_MAX], whole_to[2 * PATH_MAX];
  const char *source = ours(AT_FDCWD, from, whole_from), *target = ours(AT_FDCWD, to, whole_to);
  if (source == NULL || target == NULL) return syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
  int result = begin("rename") > 0 ? -1 : (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
  struct iovec names[2] = {{(void *)source, strlen(source) + 1}, {(void *)target, strlen(target)}};
  if (result == 0) note('r', 0, 0, names, 2, names[0].iov_len + names[1].iov_len);
  end();
  return result;
}

int unlinkat(int at, const char *path, int flags) {
  char whole[2 * PATH_MAX];
  const char *name = ours(at, path, whole);
  if (name == NULL || (flags & AT_REMOVEDIR)) return syscall(SYS_unlinkat, at, path, flags);
  int result = begin("unlink") > 0 ? -1 : (int)syscall(SYS_unlinkat, at, path, flags);
  if (result == 0) note_text('u', 0, name, strlen(name));
  end();
  return result;
}

int unlink(const char *path) { return unlinkat(AT_FDCWD, path, 0); }

int remove(const char *path) {
  int result = unlink(path);
  return result != 0 && errno == EISDIR ? (int)syscall(SYS_unlinkat, AT_FDCWD, path, AT_REMOVEDIR) : result;
}

// Aliases that programs call for large offsets.
int open64(const char *, int, ...) __attribute__((alias("open")));
int openat64(int, const char *, int, ...) __attribute__((alias("openat")));
ssize_t pwrite64(int, const void *, size_t, off_t) __attribute__((alias("pwrite")));
ssize_t pread64(int, void *, size_t, off_t) __attribute__((alias("pread")));
ssize_t pwritev64(int, const struct iovec *, int, off_t) __attribute__((alias("pwritev")));
ssize_t preadv64(int, const struct iovec *, int, off_t) __attribute__((alias("preadv")));
int ftruncate64(int, off_t) __attribute__((alias("ftruncate")));
