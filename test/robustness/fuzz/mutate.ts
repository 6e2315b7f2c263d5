/** One change of an input. Positions count in parts of 65,536 of its length, so that they fit any input. */
export interface Mutation {
  readonly kind: 'flip' | 'remove' | 'token' | 'bytes' | 'repeat' | 'copy' | 'cut';
  readonly at: number;
  readonly length: number;
  readonly bytes: Uint8Array;
  readonly choice: number;
}

const longest = 64 * 1024;
const scale = 65_536;

/** The sample with all changes made in turn; never longer than 64 KiB. */
export function mutate(sample: Uint8Array, tokens: readonly string[], mutations: readonly Mutation[]): Buffer {
  let bytes: Buffer = Buffer.from(sample);
  for (const mutation of mutations) bytes = apply(bytes, tokens, mutation).subarray(0, longest);
  return bytes;
}

function apply(bytes: Buffer, tokens: readonly string[], { kind, at, length, bytes: given, choice }: Mutation): Buffer {
  const start = Math.floor((at / scale) * (bytes.length + 1));
  const end = Math.min(bytes.length, start + length);
  const insert = (more: Uint8Array): Buffer => Buffer.concat([bytes.subarray(0, start), more, bytes.subarray(start)]);
  const token = Buffer.from(tokens[choice % Math.max(1, tokens.length)] ?? '', 'latin1');
  switch (kind) {
    case 'flip': {
      const flipped = Buffer.from(bytes);
      if (start < flipped.length) flipped[start] = (flipped[start] ?? 0) ^ (given[0] ?? 1);
      return flipped;
    }
    case 'remove':
      return Buffer.concat([bytes.subarray(0, start), bytes.subarray(end)]);
    case 'token':
      return insert(token);
    case 'bytes':
      return insert(given);
    case 'repeat': {
      const part = choice % 2 === 0 ? token : bytes.subarray(start, end);
      const times = Math.min(Math.floor(longest / Math.max(1, part.length)), choice * choice);
      return insert(Buffer.concat(Array.from({ length: times }, () => part)));
    }
    case 'copy':
      return insert(bytes.subarray(choice % (bytes.length + 1), (choice % (bytes.length + 1)) + length));
    default:
      return bytes.subarray(0, start);
  }
}
