/** A stored value that is no object of its resource. The message is the decoder's. */
export class UndecodableError extends Error {
  override readonly name = 'UndecodableError';
  /** Without the prefix of the cluster. */
  readonly key: string;
  /** Of the value. */
  readonly revision: number;

  constructor(key: string, revision: number, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.key = key;
    this.revision = revision;
  }
}
