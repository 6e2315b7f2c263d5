import { readFileSync } from 'node:fs';

/** The file from which processes of the same machine may read the newest acknowledged revision. */
export interface TipOffer {
  readonly path: string;
  /** Device and inode as decimal strings. */
  readonly device: string;
  readonly inode: string;
  readonly nonce: Buffer;
  /** The name of the running system ({@link systemId}). */
  readonly system: string;
}

/**
 * How long a reader may use the file after it sent the request that the store answered with an offer. A store that
 * cannot write to the file any more, or that cannot tell whether a predecessor had another one, acknowledges nothing
 * for {@link tipForgottenMs}.
 */
export const tipTrustedMs = 500;
/** Longer than {@link tipTrustedMs}, for timers that fire early. Both are of the system's one monotonic clock. */
export const tipForgottenMs = 600;

const systemIdFile = '/proc/sys/kernel/random/boot_id';
let known: string | undefined;

/**
 * The name of the running system, which ends with its boot: all containers of a machine have the same one. Empty where
 * the system does not tell, and no file is offered then.
 */
export function systemId(): string {
  return (known ??= readId());
}

function readId(): string {
  try {
    return readFileSync(systemIdFile, 'latin1').trim();
  } catch {
    return '';
  }
}
