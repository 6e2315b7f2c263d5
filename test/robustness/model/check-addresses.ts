import type { LogEvent } from './store-log.ts';

/** No cluster address or node port belongs to two Services at any time. */
export function checkAddresses(log: readonly LogEvent[]): string[] {
  const wrong: string[] = [];
  const owners = new Map<string, string>();
  const held = new Map<string, readonly string[]>();
  for (const { key, revision, object } of log) {
    if (!key.startsWith('/registry/services/specs/')) continue;
    for (const address of held.get(key) ?? []) owners.delete(address);
    held.delete(key);
    if (object === undefined) continue;
    for (const address of object.addresses) {
      const owner = owners.get(address);
      if (owner !== undefined) wrong.push(`${address} was given to ${key} at ${revision} while ${owner} had it`);
      owners.set(address, key);
    }
    held.set(key, object.addresses);
  }
  return wrong;
}
