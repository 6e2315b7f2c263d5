/**
 * Flags whose values are checked and change nothing, by the part of the product that they are for. `/flagz` marks them.
 */
const unused = {
  // The socket has SO_REUSEADDR whatever the flag says, and the reference reads no size of watch caches either.
  always: /^(?:permitAddressSharing|defaultWatchCacheSize)$/,
  metrics: /^etcdDbMetricPollInterval$/,
} as const;

/** Whether the flag with this key changes nothing. */
export function isWithoutEffect(key: string): boolean {
  return Object.values(unused).some((pattern) => pattern.test(key));
}
