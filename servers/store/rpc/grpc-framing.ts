import { EtcdRpcError, grpcCode } from '#shared/storage/etcd-wire/transport.ts';

/** Length of the head of each message: compression flag (always 0 here) and u32 length. */
export const grpcHeadBytes = 5;

/** etcd's request limit of 1.5 MiB, plus its allowance for gRPC overhead. */
const maxMessageBytes = 2 * 1024 * 1024;

export function writeGrpcHead(frame: Buffer, extraBytes = 0): Buffer {
  frame[0] = 0;
  frame.writeUInt32BE(frame.length - grpcHeadBytes + extraBytes, 1);
  return frame;
}

/** Splits the body of a call into messages. */
export class GrpcDeframer {
  readonly #maxBytes: number;
  /** Pieces of an incomplete message. */
  #pending: Buffer[] = [];
  #pendingBytes = 0;
  /** Number of bytes needed before the next message can be read. */
  #wantedBytes = grpcHeadBytes;

  constructor(maxBytes = maxMessageBytes) {
    this.#maxBytes = maxBytes;
  }

  /** @throws EtcdRpcError for a message that is compressed or too large */
  push(chunk: Buffer, onMessage: (message: Buffer) => void): void {
    this.#pending.push(chunk);
    this.#pendingBytes += chunk.length;
    if (this.#pendingBytes < this.#wantedBytes) return;
    let bytes = this.#pending.length === 1 ? chunk : Buffer.concat(this.#pending);
    this.#wantedBytes = grpcHeadBytes;
    while (bytes.length >= grpcHeadBytes) {
      const length = this.#lengthOf(bytes);
      if (bytes.length < grpcHeadBytes + length) {
        this.#wantedBytes = grpcHeadBytes + length;
        break;
      }
      onMessage(bytes.subarray(grpcHeadBytes, grpcHeadBytes + length));
      bytes = bytes.subarray(grpcHeadBytes + length);
    }
    this.#pending = bytes.length > 0 ? [bytes] : [];
    this.#pendingBytes = bytes.length;
  }

  #lengthOf(head: Buffer): number {
    if (head[0] !== 0) throw new EtcdRpcError(grpcCode.unimplemented, 'grpc: compressed messages are not supported');
    const length = head.readUInt32BE(1);
    if (length > this.#maxBytes) {
      throw new EtcdRpcError(
        grpcCode.resourceExhausted,
        `grpc: received message larger than max (${length} vs. ${this.#maxBytes})`,
      );
    }
    return length;
  }
}

/** gRPC's percent-encoding of status messages, which keeps printable ASCII except for the percent sign. */
export function encodeGrpcMessage(text: string): string {
  return [...Buffer.from(text)]
    .map((byte) =>
      byte >= 0x20 && byte <= 0x7e && byte !== 0x25
        ? String.fromCharCode(byte)
        : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`,
    )
    .join('');
}
