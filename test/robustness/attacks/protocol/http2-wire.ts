import type { TLSSocket } from 'node:tls';
import { frame, http2Preface, openRaw } from '#test/robustness/hostile/raw-connection.ts';

/** A header field as it goes over the wire: nothing is checked, folded or sorted. */
export type Field = readonly [name: string, value: string];

export const frameType = {
  data: 0,
  headers: 1,
  priority: 2,
  reset: 3,
  settings: 4,
  ping: 6,
  goaway: 7,
  windowUpdate: 8,
  continuation: 9,
} as const;
export const frameFlag = { endStream: 0x1, ack: 0x1, endHeaders: 0x4 } as const;

/** An integer of HPACK (RFC 7541 section 5.1). */
function integer(value: number, prefixBits: number, first: number): Buffer {
  const most = 2 ** prefixBits - 1;
  if (value < most) return Buffer.from([first | value]);
  const bytes = [first | most];
  let rest = value - most;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
  bytes.push(rest);
  return Buffer.from(bytes);
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value, 'latin1');
  return Buffer.concat([integer(bytes.length, 7, 0), bytes]);
}

/** Each field as a literal without indexing and with a new name (RFC 7541 section 6.2.2). */
export function headerBlock(fields: readonly Field[]): Buffer {
  return Buffer.concat(fields.flatMap(([name, value]) => [Buffer.from([0]), text(name), text(value)]));
}

/** Each field as a literal that goes into the dynamic table, then each by its index (sections 6.2.1 and 6.1). */
export function indexedBlocks(fields: readonly Field[]): { readonly first: Buffer; readonly again: Buffer } {
  const first = Buffer.concat(fields.flatMap(([name, value]) => [Buffer.from([0x40]), text(name), text(value)]));
  return { first, again: Buffer.concat(fields.map((_, at) => integer(62 + fields.length - 1 - at, 7, 0x80))) };
}

/** HEADERS with what fits, CONTINUATION with the rest. */
export function headersFrames(stream: number, block: Buffer, endStream: boolean): Buffer {
  const most = 16_384;
  const frames = [
    frame(
      frameType.headers,
      (endStream ? frameFlag.endStream : 0) | (block.length <= most ? frameFlag.endHeaders : 0),
      stream,
      block.subarray(0, most),
    ),
  ];
  for (let at = most; at < block.length; at += most) {
    frames.push(
      frame(
        frameType.continuation,
        at + most >= block.length ? frameFlag.endHeaders : 0,
        stream,
        block.subarray(at, at + most),
      ),
    );
  }
  return Buffer.concat(frames);
}

/** What became of a stream. */
export interface StreamOutcome {
  /** 0 where there was no answer. */
  readonly status: number;
  readonly body: string;
  /** Error code of RST_STREAM, or of GOAWAY where the connection was ended by it. */
  readonly reset?: number;
  readonly goaway?: number;
  /** The connection was closed. */
  readonly closed: boolean;
}

/** Sends bytes after the preface and reads until stream `stream` is over, or `patienceMs` pass in silence. */
export async function http2Outcome(
  url: string,
  bytes: Buffer,
  stream: number,
  patienceMs: number,
): Promise<StreamOutcome> {
  const socket = await openRaw(url, 'h2');
  socket.write(Buffer.concat([http2Preface, bytes]));
  const outcome = await readOutcome(socket, stream, patienceMs);
  socket.destroy();
  return outcome;
}

function readOutcome(socket: TLSSocket, stream: number, patienceMs: number): Promise<StreamOutcome> {
  return new Promise((resolve) => {
    let pending: Buffer = Buffer.alloc(0);
    const body: Buffer[] = [];
    const seen: { status: number; reset?: number; goaway?: number } = { status: 0 };
    const done = (closed: boolean): void => {
      clearTimeout(timer);
      socket.removeAllListeners('data');
      resolve({ ...seen, body: Buffer.concat(body).toString(), closed });
    };
    const timer = setTimeout(() => done(false), patienceMs);
    socket.on('close', () => done(true));
    socket.on('data', (chunk: Buffer) => {
      timer.refresh();
      pending = Buffer.concat([pending, chunk]);
      for (let next = nextFrame(pending); next !== undefined; next = nextFrame(pending)) {
        pending = pending.subarray(9 + next.payload.length);
        if (next.type === frameType.goaway) seen.goaway = next.payload.readUInt32BE(4);
        if (next.type === frameType.settings && (next.flags & frameFlag.ack) === 0)
          socket.write(frame(frameType.settings, frameFlag.ack, 0));
        if (next.stream !== stream) continue;
        if (next.type === frameType.headers && seen.status === 0) seen.status = statusOf(next.payload);
        if (next.type === frameType.data) body.push(next.payload);
        if (next.type === frameType.reset) seen.reset = next.payload.readUInt32BE(0);
        const ended =
          (next.type === frameType.data || next.type === frameType.headers) && (next.flags & frameFlag.endStream) !== 0;
        if (ended || next.type === frameType.reset) return done(false);
      }
    });
  });
}

interface Frame {
  readonly type: number;
  readonly flags: number;
  readonly stream: number;
  readonly payload: Buffer;
}

export function nextFrame(bytes: Buffer): Frame | undefined {
  if (bytes.length < 9) return undefined;
  const length = bytes.readUIntBE(0, 3);
  if (bytes.length < 9 + length) return undefined;
  return {
    type: bytes[3] as number,
    flags: bytes[4] as number,
    stream: bytes.readUInt32BE(5) & 0x7fff_ffff,
    payload: bytes.subarray(9, 9 + length),
  };
}

/** Statuses of the static table by index (RFC 7541 appendix A). */
const staticStatuses: ReadonlyMap<number, number> = new Map([
  [8, 200],
  [9, 204],
  [10, 206],
  [11, 304],
  [12, 400],
  [13, 404],
  [14, 500],
]);

/** `:status` comes first in an answer. Read is what a server may write for its first answer on a connection. */
export function statusOf(block: Buffer): number {
  const first = block[0] ?? 0;
  // The size of the table may come in front of it.
  if ((first & 0xe0) === 0x20)
    return statusOf(
      block.subarray(1 + ((first & 0x1f) === 0x1f ? block.findIndex((byte, at) => at > 0 && byte < 0x80) : 0)),
    );
  if ((first & 0x80) !== 0) return staticStatuses.get(first & 0x7f) ?? 0;
  const length = block[1] ?? 0;
  const value = block.subarray(2, 2 + (length & 0x7f));
  return Number((length & 0x80) === 0 ? value.toString('latin1') : huffmanDigits(value));
}

/** Digits of the Huffman code: 0 to 2 take five bits, the others six (RFC 7541 appendix B). */
function huffmanDigits(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  let digits = '';
  for (let at = 0; at + 5 <= bits.length;) {
    const five = Number.parseInt(bits.slice(at, at + 5), 2);
    if (five <= 2) {
      digits += five;
      at += 5;
      continue;
    }
    const six = Number.parseInt(bits.slice(at, at + 6), 2);
    if (at + 6 > bits.length || six < 0b011001 || six > 0b011111) break;
    digits += six - 0b011001 + 3;
    at += 6;
  }
  return digits;
}
