import type { Storage } from '#shared/storage/storage.ts';

/** Keys of no resource, which servers write for themselves: ranges of Services, and addresses of servers. */
const prefixes = ['/ranges/', '/masterleases/'] as const;

/**
 * Looks at the keys that servers own. No rule covers them, `*.*` included, since their storage is made without
 * transformers (pkg/controlplane/instance.go, pkg/registry/core/rest/storage_core.go).
 */
export async function checkServerKeys(raw: Storage, check: (holds: boolean, what: string) => void): Promise<void> {
  for (const prefix of prefixes) {
    const { items } = await raw.list(prefix);
    check(items.length > 0, `there is no key below ${prefix}`);
    for (const { key, value } of items)
      check(!Buffer.from(value).toString('latin1').startsWith('k8s:enc:'), `${key} is encrypted`);
  }
}
