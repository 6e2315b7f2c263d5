import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';

const handshakeGuid = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

/** Opcodes of frames (RFC 6455 section 5.2). */
export const opcode = { continuation: 0x0, text: 0x1, binary: 0x2, close: 0x8, ping: 0x9, pong: 0xa } as const;

/** The value of `Sec-WebSocket-Accept` for a key (RFC 6455 section 4.2.2). */
export function acceptOf(key: string): string {
  return createHash('sha1')
    .update(key + handshakeGuid)
    .digest('base64');
}

/** The header of a frame that holds a whole message of a server; such frames are not masked. */
export function frameHead(code: number, length: number): Buffer {
  if (length < 126) return Buffer.from([0x80 | code, length]);
  if (length < 65_536) return Buffer.from([0x80 | code, 126, length >> 8, length & 0xff]);
  const head = Buffer.alloc(10);
  head[0] = 0x80 | code;
  head[1] = 127;
  head.writeBigUInt64BE(BigInt(length), 2);
  return head;
}
