import type { VerificationKey } from './signing-keys.ts';

/** The keys that verify service-account tokens. */
export interface KeySource {
  /** The keys with this id, those in `published` and others; all for an empty id. Rejects never. */
  find(keyId: string): readonly VerificationKey[] | Promise<readonly VerificationKey[]>;
  /** The keys that other parties are told of; another array after a change. */
  readonly published: readonly VerificationKey[];
  /** For how long other parties may keep them, in seconds. */
  readonly maxAgeSeconds: number;
}

/** As long as the reference lets others keep keys of files. */
const fixedMaxAgeSeconds = 3600;

/** Keys that stay the same. */
export function fixedKeys(keys: readonly VerificationKey[]): KeySource {
  return {
    find: (keyId) => (keyId === '' ? keys : keys.filter((key) => key.keyId === keyId)),
    published: keys,
    maxAgeSeconds: fixedMaxAgeSeconds,
  };
}
