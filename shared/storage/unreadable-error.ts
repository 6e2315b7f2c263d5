import { StorageError } from './storage.ts';

/** A stored value that cannot be decrypted, with the configuration of encryption as it is at present. */
export class UnreadableError extends StorageError {
  /** The whole key in etcd. */
  readonly storedKey: string;

  /** `revision` is that of the value, for a deletion without reading it. The message is the reason alone. */
  constructor(
    message: string,
    details: { readonly key: string; readonly storedKey: string; readonly revision: number; readonly cause?: unknown },
  ) {
    super('Unreadable', message, details);
    this.name = 'UnreadableError';
    this.storedKey = details.storedKey;
  }

  /** The error of a list, which names the object (etcd3/store.go). */
  inList(): UnreadableError {
    const { message, key, storedKey, revision, cause } = this;
    const text = `unable to transform key ${JSON.stringify(storedKey)}: ${message}`;
    return new UnreadableError(text, { key, storedKey, revision, cause });
  }
}
