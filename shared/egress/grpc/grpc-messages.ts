import { Buffer } from 'node:buffer';

/** Before each message: a byte that tells whether it is compressed, and its length in four bytes. */
const prefixBytes = 5;
/** The largest message that gRPC's client in Go takes by default. */
const maxMessageBytes = 4 * 1024 * 1024;

/** A message as it stands in the body of a call. */
export function framed(message: Uint8Array): Buffer {
  const prefix = Buffer.alloc(prefixBytes);
  prefix.writeUInt32BE(message.length, 1);
  return Buffer.concat([prefix, message]);
}

/** Takes the body of a call apart, whose pieces begin and end anywhere. */
export class GrpcMessages {
  #pieces: Buffer[] = [];
  #length = 0;

  /**
   * @returns the messages that the piece completes
   * @throws Error for one that is compressed, or larger than gRPC allows
   */
  add(piece: Buffer): Buffer[] {
    this.#pieces.push(piece);
    this.#length += piece.length;
    const messages: Buffer[] = [];
    for (let next = this.#next(); next !== undefined; next = this.#next()) messages.push(next);
    return messages;
  }

  #next(): Buffer | undefined {
    if (this.#length < prefixBytes) return undefined;
    const [first] = this.#pieces;
    // A prefix is rarely cut; then its pieces are joined, which are few bytes.
    const head = first !== undefined && first.length >= prefixBytes ? first : this.#joined();
    if (head[0] !== 0) throw new Error('grpc: the message is compressed');
    const size = head.readUInt32BE(1);
    if (size > maxMessageBytes)
      throw new Error(`grpc: received message larger than max (${size} vs. ${maxMessageBytes})`);
    if (this.#length < prefixBytes + size) return undefined;
    const all = this.#joined();
    const rest = all.subarray(prefixBytes + size);
    this.#pieces = rest.length === 0 ? [] : [rest];
    this.#length = rest.length;
    return all.subarray(prefixBytes, prefixBytes + size);
  }

  #joined(): Buffer {
    if (this.#pieces.length > 1) this.#pieces = [Buffer.concat(this.#pieces, this.#length)];
    return this.#pieces[0] ?? Buffer.alloc(0);
  }
}
