import { connect } from 'node:net';
import type { Socket } from 'node:net';
import type { OutgoingHeaders } from '../../../shared/request/exchange.ts';
import { TransportError } from '../transport.ts';
import type { AnswerHandler, ForwardedCall, ForwardRequest } from '../transport.ts';
import { AnswerParser } from './answer-parser.ts';
import type { AnswerEvents } from './answer-parser.ts';

/**
 * One keep-alive connection with at most one request on it. States: idle (no parser) → busy (parser, handler) → idle
 * again when answer and request body are both through, or destroyed.
 */
export class Http1Connection implements AnswerEvents, ForwardedCall {
  readonly #socket: Socket;
  readonly #release: (connection: Http1Connection, reusable: boolean) => void;
  #connected = false;
  #parser: AnswerParser | undefined;
  #handler: AnswerHandler | undefined;
  #bodyPending = false;
  #detachBody: (() => void) | undefined;

  /** `release` is called when the connection is idle again (`reusable`) or gone. */
  constructor(socketPath: string, release: (connection: Http1Connection, reusable: boolean) => void) {
    this.#release = release;
    this.#socket = connect({ path: socketPath });
    this.#socket.on('connect', () => { this.#connected = true; });
    this.#socket.on('data', (chunk: Buffer) => this.#received(chunk));
    this.#socket.on('end', () => this.#ended());
    this.#socket.on('error', (error) => this.#fail(error.message));
    this.#socket.on('close', () => this.#fail('the connection was closed'));
  }

  start(request: ForwardRequest, handler: AnswerHandler): ForwardedCall {
    this.#parser = new AnswerParser(request.method, this);
    this.#handler = handler;
    const head = `${request.method} ${request.target} HTTP/1.1\r\n${request.headerLines}\r\n`;
    this.#socket.write(head, 'latin1');
    const { body } = request;
    if (body) {
      this.#bodyPending = true;
      // Not a byte is taken before the backend is there, so that a failed connection leaves the request whole.
      if (this.#connected) this.#sendBody(body, request.chunked);
      else this.#socket.once('connect', () => this.#sendBody(body, request.chunked));
    }
    return this;
  }

  resume(): void {
    this.#socket.resume();
  }

  abort(): void {
    this.#handler = undefined;
    this.#socket.destroy();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  whole(status: number, headers: OutgoingHeaders, body: Uint8Array | undefined): void {
    const handler = this.#handler;
    this.#handler = undefined;
    handler?.onWhole(status, headers, body);
  }

  head(status: number, headers: OutgoingHeaders): void {
    this.#handler?.onHead(status, headers);
  }

  data(chunk: Uint8Array): void {
    if (this.#handler?.onData(chunk) === false) this.#socket.pause();
  }

  end(trailers: OutgoingHeaders | undefined): void {
    const handler = this.#handler;
    this.#handler = undefined;
    handler?.onEnd(trailers);
  }

  #received(chunk: Buffer): void {
    const parser = this.#parser;
    if (parser === undefined) {
      this.#socket.destroy();
      return;
    }
    try {
      parser.push(chunk);
    } catch (error) {
      this.#fail(error instanceof Error ? error.message : String(error));
      return;
    }
    if (parser.done) this.#answered(parser.keepAlive);
  }

  #answered(keepAlive: boolean): void {
    const reusable = keepAlive && !this.#bodyPending && !this.#socket.destroyed;
    this.#detachBody?.();
    this.#parser = undefined;
    if (this.#socket.isPaused()) this.#socket.resume();
    if (!reusable) this.#socket.destroy();
    else this.#release(this, true);
  }

  #ended(): void {
    if (this.#parser?.closed() === true) this.#answered(false);
    else this.#fail('the backend closed the connection');
  }

  #fail(reason: string): void {
    const handler = this.#handler;
    this.#handler = undefined;
    this.#parser = undefined;
    this.#detachBody?.();
    this.#socket.destroy();
    this.#release(this, false);
    handler?.onError(new TransportError(reason, this.#connected));
  }

  #sendBody(body: NonNullable<ForwardRequest['body']>, chunked: boolean): void {
    if (this.#handler === undefined) return;
    const socket = this.#socket;
    const onData = (chunk: Buffer): void => {
      if (chunked) {
        socket.cork();
        socket.write(`${chunk.length.toString(16)}\r\n`, 'latin1');
        socket.write(chunk);
        socket.write('\r\n', 'latin1');
        socket.uncork();
      } else socket.write(chunk);
      if (socket.writableNeedDrain) body.pause();
    };
    const onDrain = (): void => { body.resume(); };
    const onEnd = (): void => {
      if (chunked) socket.write('0\r\n\r\n', 'latin1');
      this.#bodyPending = false;
      this.#detachBody?.();
    };
    this.#detachBody = () => {
      this.#detachBody = undefined;
      body.off('data', onData).off('end', onEnd);
      socket.off('drain', onDrain);
      // The rest is read and dropped, or the client's connection would stall.
      if (this.#bodyPending) body.resume();
    };
    body.on('data', onData).on('end', onEnd);
    socket.on('drain', onDrain);
    if (body.readableEnded) onEnd();
  }
}
