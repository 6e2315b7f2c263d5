/**
 * Flags whose values are checked and change nothing; `/flagz` marks them. The socket has SO_REUSEADDR whatever the flag
 * says, and the reference reads no size of watch caches either.
 */
const unused: ReadonlySet<string> = new Set(['permitAddressSharing', 'defaultWatchCacheSize']);

/** Whether the flag with this key changes nothing. */
export function isWithoutEffect(key: string): boolean {
  return unused.has(key);
}
