import { Buffer } from 'node:buffer';
import { Duplex } from 'node:stream';
import type { ProxyCall } from './grpc-connection.ts';
import { framed, GrpcMessages } from './grpc-messages.ts';
import { closeRequest, dataPacket, decodePacket, type Id, type ReceivedPacket } from './packets.ts';

/** How long the proxy's answer to the end of a connection is waited for (konnectivity-client, CloseTimeout). */
const closeMs = 10_000;
/** Longer writes go in several packets: servers of gRPC refuse large messages. */
const packetBytes = 64 * 1024;

/**
 * A connection that a proxy carries as packets of a gRPC call. The call carries this one connection, so that its flow
 * control is that of the connection. The protocol has no half-closed connections: an end of one side is that of both.
 */
export class TunnelSocket extends Duplex {
  /** For users that look at the sockets of node:net: the connection is made before anybody gets it. */
  readonly connecting = false;
  readonly #call: ProxyCall;
  readonly #messages = new GrpcMessages();
  readonly #onDialed: (packet: ReceivedPacket | undefined) => void;
  #connectId: Id | undefined;
  #closeTimer: NodeJS.Timeout | undefined;
  #isAsked = false;
  #isOver = false;

  /** `onDialed` gets the packets that come before {@link begin}, and undefined if the call ends before. */
  constructor(call: ProxyCall, onDialed: (packet: ReceivedPacket | undefined) => void) {
    super({ emitClose: true, allowHalfOpen: true });
    this.#call = call;
    this.#onDialed = onDialed;
    // Until somebody listens; failures of a connection that was made reach its users.
    this.on('error', () => undefined);
    const { stream } = call;
    stream.on('data', (piece: Buffer) => this.#take(piece));
    for (const event of ['end', 'close', 'error']) stream.on(event, () => this.#end());
    // Without it a stream that ends in an error of gRPC, told in its head, would not be read to its end.
    stream.on('response', () => undefined);
  }

  /** Sends a packet of the protocol. A connection that is over fails as one of TCP, so that reads are sent again. */
  send(packet: Uint8Array, done: (error?: Error | null) => void = () => undefined): void {
    const { stream } = this.#call;
    if (stream.writable) stream.write(framed(packet), done);
    else done(Object.assign(new Error('tunnel closed'), { code: 'ECONNRESET' }));
  }

  /** The proxy has made the connection. */
  begin(connectId: Id): void {
    this.#connectId = connectId;
  }

  override _read(): void {
    this.#call.stream.resume();
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    const { length } = chunk;
    let begin = 0;
    for (; length - begin > packetBytes; begin += packetBytes)
      this.send(dataPacket(this.#connectId ?? 0n, chunk.subarray(begin, begin + packetBytes)));
    this.send(dataPacket(this.#connectId ?? 0n, chunk.subarray(begin)), done);
  }

  override _final(done: () => void): void {
    this.#askForClose();
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#askForClose();
    if (this.#isOver) this.#closeCall();
    else this.#call.stream.resume();
    done(error);
  }

  /** Methods of net.Socket that agents call on every connection. */
  setKeepAlive(): this {
    return this;
  }

  setNoDelay(): this {
    return this;
  }

  setTimeout(): this {
    return this;
  }

  ref(): this {
    this.#call.session.ref();
    return this;
  }

  unref(): this {
    this.#call.session.unref();
    return this;
  }

  #take(piece: Buffer): void {
    try {
      for (const message of this.#messages.add(piece)) this.#onPacket(decodePacket(message));
    } catch (error) {
      this.#isOver = true;
      if (this.#connectId === undefined) this.#onDialed(undefined);
      this.destroy(error as Error);
    }
  }

  #onPacket(packet: ReceivedPacket): void {
    if (this.#connectId === undefined) return this.#onDialed(packet);
    if (packet.type === 'closeResponse' && packet.connectId === this.#connectId) return this.#end();
    if (packet.type !== 'data' || packet.connectId === 0n) return;
    if (packet.connectId !== this.#connectId) return this.send(closeRequest(packet.connectId));
    if (this.destroyed || this.readableEnded || packet.data.length === 0) return;
    if (!this.push(Buffer.from(packet.data))) this.#call.stream.pause();
  }

  /** The other side has ended, or the call has. */
  #end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    if (this.#connectId === undefined) this.#onDialed(undefined);
    if (!this.destroyed) this.push(null);
    this.#closeCall();
  }

  /** Tells the proxy, once, that the connection ends, and waits a while for its answer. */
  #askForClose(): void {
    if (this.#connectId === undefined) return this.#closeCall();
    if (this.#isAsked) return;
    this.#isAsked = true;
    if (!this.#isOver) this.send(closeRequest(this.#connectId));
    this.#closeTimer = setTimeout(() => this.#closeCall(), closeMs).unref();
  }

  #closeCall(): void {
    clearTimeout(this.#closeTimer);
    const { session, stream } = this.#call;
    if (stream.writable) stream.end();
    session.close();
    // A proxy that leaves the stream open would keep the connection.
    setTimeout(() => session.destroy(), 1_000).unref();
  }
}
