/**
 * The lines of the reference's spans as they are to be here:
 * - The newest state is known by a shared read of etcd's revision; there by a list of nothing
 *   (apiserver/pkg/storage/etcd3/store.go, GetCurrentResourceVersion).
 * - A deletion begins with the cached object; there with a read (registry/generic/registry/store.go, Delete).
 */
export function expectedHere(step: string, lines: readonly string[]): string[] {
  const list = lines.findIndex((line) => line.trim() === 'List(recursive=false) etcd3');
  if (list >= 0) return [...lines.slice(0, list), ...lines.slice(list + 1).map((line) => line.slice(2))];
  const get = step === 'delete it' ? lines.findIndex((line) => line.trim() === 'cacher.Get') : -1;
  return get < 0 ? [...lines] : [...lines.slice(0, get), ...lines.slice(get + 2)];
}
