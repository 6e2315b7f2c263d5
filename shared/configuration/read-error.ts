const errorTexts = new Map([
  ['ENOENT', 'no such file or directory'],
  ['EACCES', 'permission denied'],
  ['EISDIR', 'is a directory'],
  ['ENOTDIR', 'not a directory'],
  ['EROFS', 'read-only file system'],
  ['ENOSPC', 'no space left on device'],
  ['ENXIO', 'no such device or address'],
]);

/** Go's text for a file that cannot be read: `open x: no such file or directory`. */
export function readError(error: unknown, path: string): string {
  const { syscall, code = '' } = error as NodeJS.ErrnoException;
  return `${syscall ?? 'open'} ${path}: ${errorTexts.get(code) ?? code}`;
}
