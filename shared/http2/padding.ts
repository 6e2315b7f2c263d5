import { AbruptEnd, frameFlag } from './frames.ts';

/**
 * The payload of DATA or HEADERS without its padding (RFC 9113 section 6.1); undefined where there is more padding than
 * payload.
 * @throws AbruptEnd
 */
export function withoutPadding(flags: number, payload: Buffer): Buffer | undefined {
  if ((flags & frameFlag.padded) === 0) return payload;
  const padding = payload[0];
  if (padding === undefined) throw new AbruptEnd('no room for the length of the padding');
  return padding < payload.length ? payload.subarray(1, payload.length - padding) : undefined;
}
