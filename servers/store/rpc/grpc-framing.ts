import { EtcdRpcError, grpcCode } from '../../../shared/storage/etcd-wire/transport.ts';

/** Compression flag (always 0 here) and u32 length before each message. */
export const grpcHeadBytes = 5;

/** etcd's request limit of 1.5 MiB and its allowance for gRPC. */
const maxMessageBytes = 2 * 1024 * 1024;

export function writeGrpcHead(frame: Buffer, extraBytes = 0): Buffer {
  frame[0] = 0;
  frame.writeUInt32BE(frame.length - grpcHeadBytes + extraBytes, 1);
  return frame;
}

/** Cuts the body of a call into messages. */
export class GrpcDeframer {
  readonly #maxBytes: number;
  #pending: Buffer | undefined;

  constructor(maxBytes = maxMessageBytes) {
    this.#maxBytes = maxBytes;
  }

  /** @throws EtcdRpcError for a message that is compressed or too large */
  push(chunk: Buffer, onMessage: (message: Buffer) => void): void {
    let bytes = this.#pending === undefined ? chunk : Buffer.concat([this.#pending, chunk]);
    this.#pending = undefined;
    while (bytes.length >= grpcHeadBytes) {
      if (bytes[0] !== 0) throw new EtcdRpcError(grpcCode.unimplemented, 'grpc: compressed messages are not supported');
      const length = bytes.readUInt32BE(1);
      if (length > this.#maxBytes) {
        throw new EtcdRpcError(grpcCode.resourceExhausted, `grpc: received message larger than max (${length} vs. ${this.#maxBytes})`);
      }
      if (bytes.length < grpcHeadBytes + length) break;
      onMessage(bytes.subarray(grpcHeadBytes, grpcHeadBytes + length));
      bytes = bytes.subarray(grpcHeadBytes + length);
    }
    if (bytes.length > 0) this.#pending = bytes;
  }
}

/** gRPC's percent-encoding of status messages: printable ASCII but for the percent sign stays. */
export function encodeGrpcMessage(text: string): string {
  return [...Buffer.from(text)].map((byte) => (byte >= 0x20 && byte <= 0x7e && byte !== 0x25 ? String.fromCharCode(byte) : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`)).join('');
}
