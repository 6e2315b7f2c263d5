/**
 * The lines of the reference's spans as they are to be here: a deletion begins with the cached object, and there with a
 * read (registry/generic/registry/store.go, Delete).
 */
export function expectedHere(step: string, lines: readonly string[]): string[] {
  const get = step === 'delete it' ? lines.findIndex((line) => line.trim() === 'cacher.Get') : -1;
  return get < 0 ? [...lines] : [...lines.slice(0, get), ...lines.slice(get + 2)];
}
