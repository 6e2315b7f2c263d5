/** Bytes as they were before they were encrypted. */
export interface Revealed {
  readonly value: Uint8Array;
  /** True where they would be stored otherwise today: by another provider or key. The next update rewrites them. */
  readonly isStale: boolean;
}

/**
 * Encrypts and decrypts the stored values of one resource (upstream's value.Transformer). Local providers answer at
 * once, but for large values that take slices; remote ones with a promise where they have to ask. Throws, or rejects
 * with, an Error whose text names no key.
 */
export interface ValueTransformer {
  /** @param key the whole key in etcd, authenticated together with the value: `/registry/secrets/default/a` */
  fromStorage(stored: Uint8Array, key: string): Revealed | Promise<Revealed>;
  toStorage(plain: Uint8Array, key: string): Uint8Array | Promise<Uint8Array>;
}
