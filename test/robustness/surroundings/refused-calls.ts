import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const compiler = 'cc';

/** Calls of the C library that a file system may refuse below the data directory, in C. */
const refusals = {
  // Network file systems without a lock daemon.
  locks: `
int fcntl64(int fd, int command, ...) {
  va_list list; va_start(list, command); void *value = va_arg(list, void *); va_end(list);
  static int (*next)(int, int, ...); if (!next) next = dlsym(RTLD_NEXT, "fcntl64");
  if (command == F_SETLK || command == F_SETLKW || command == F_GETLK) { errno = ENOLCK; return -1; }
  return next(fd, command, value);
}
int fcntl(int fd, int command, ...) {
  va_list list; va_start(list, command); void *value = va_arg(list, void *); va_end(list);
  return fcntl64(fd, command, value);
}`,
  // Shares of 9p, FUSE and others, as below containers on other systems.
  sockets: `
int bind(int fd, const struct sockaddr *address, socklen_t length) {
  static int (*next)(int, const struct sockaddr *, socklen_t); if (!next) next = dlsym(RTLD_NEXT, "bind");
  if (address->sa_family == AF_UNIX && strstr(((const struct sockaddr_un *)address)->sun_path, "surrounding")) {
    errno = EOPNOTSUPP; return -1;
  }
  return next(fd, address, length);
}`,
} as const;

const head = `#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
`;

/** Compiles a library for LD_PRELOAD by which these calls are refused. @returns its path */
export function refuse(folder: string, kind: keyof typeof refusals): string {
  const [source, library] = [join(folder, `${kind}.c`), join(folder, `${kind}.so`)];
  writeFileSync(source, head + refusals[kind]);
  execFileSync(compiler, ['-shared', '-fPIC', '-o', library, source, '-ldl'], { stdio: 'pipe' });
  return library;
}
