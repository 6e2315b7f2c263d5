import { posix } from 'node:path';

/** Go's path.Join: removes double slashes, dot segments and a trailing slash. */
export function joinPath(...parts: readonly string[]): string {
  const joined = parts.filter((part) => part !== '').join('/');
  if (joined === '') return '';
  const clean = posix.normalize(joined);
  return clean.length > 1 && clean.endsWith('/') ? clean.slice(0, -1) : clean;
}

/** The same, but keeps a trailing slash of `path`. */
export function cleanPath(path: string): string {
  const clean = joinPath(path);
  return path.endsWith('/') && !clean.endsWith('/') ? `${clean}/` : clean;
}

export function withoutOuterSlashes(path: string): string {
  let start = 0;
  let end = path.length;
  while (start < end && path[start] === '/') start++;
  while (end > start && path[end - 1] === '/') end--;
  return path.slice(start, end);
}
