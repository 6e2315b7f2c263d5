import type { Seen } from './look.ts';

/**
 * The reference fills its caches of all resources before it is ready, and lists fail until then
 * (cacher/cacher.go, registry/generic/registry/storage_factory.go). Here the start goes on without the objects that
 * cannot be decrypted; lists of them fail as those of the reference's etcd do.
 */
const filling = /^429 TooManyRequests: storage is \(re\)initializing: failed to list \*core\.Secret: /;
const waiting = /^\[-\](informer-sync|poststarthook\/storage-readiness) failed/;

/**
 * Series of metrics that the reference alone has: it decrypts what it has just written for its watch caches
 * (etcd3/watcher.go); here the writer of a value keeps it (shared/encryption/storage/own-values.ts).
 */
function isOfOwnValue(series: string): boolean {
  return (
    series.includes('transformation_type=from_storage') && /_key_id_hash_|_transformation_|_inter_arrival_/.test(series)
  );
}

/** What is seen of the reference, as this server would show it. */
export function expectedOf(theirs: Seen, ours: Seen): Seen {
  const isFilling = [...theirs.values()].some((value) => filling.test(String(value)));
  return new Map(
    [...theirs].map(([name, there]) => {
      if (typeof there === 'string' && filling.test(there))
        return [name, there.replace(filling, '500 InternalError: Internal error occurred: ')];
      if (!Array.isArray(there)) return [name, there];
      return [
        name,
        isFilling && name.startsWith('/') ? withoutWaiting(there) : withoutOwnValues(there, ours.get(name)),
      ];
    }),
  );
}

/** A health endpoint that fails for nothing but its caches is well here. */
function withoutWaiting([, ...lines]: unknown[]): unknown[] {
  const kept = lines.filter((line) => !waiting.test(String(line)));
  return [kept.some((line) => String(line).startsWith('[-]')) ? 500 : 200, ...kept];
}

function withoutOwnValues(there: unknown[], here: unknown): unknown[] {
  return Array.isArray(here) ? there.filter((item) => here.includes(item) || !isOfOwnValue(String(item))) : there;
}
