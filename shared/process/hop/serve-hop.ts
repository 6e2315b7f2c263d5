import type { Buffer } from 'node:buffer';
import type { Socket } from 'node:net';
import { takeChunks } from '#shared/apimachinery/slices/take-chunks.ts';
import { FrameError, FrameParser, type FrameSink } from '#shared/frames/frame-parser.ts';
import type { ExchangeHandler } from '#shared/server/exchange/listener.ts';
import { HopExchange } from './hop-exchange.ts';
import type { HopExchangeHost } from './hop-exchange.ts';
import { eachRepetition, hopFrame, maxHopFrameBytes } from './hop-protocol.ts';
import { readRequestHead } from './hop-request-head.ts';
import { HopWriter } from './hop-writer.ts';

/** The backend's end of a connection from a gateway. */
export interface HopServerConnection {
  /** Refuses new exchanges from now on, so that the gateway can send them elsewhere. */
  stopAccepting(): void;
  /** Writes the gathered frames before the socket is destroyed. */
  flush(): void;
}

/** Serves the exchanges of a gateway on a socket whose upgrade was answered. */
export function serveHop(socket: Socket, head: Buffer, onExchange: ExchangeHandler): HopServerConnection {
  const connection = new Connection(socket, onExchange);
  takeChunks(socket, (chunk) => connection.receive(chunk));
  socket.on('error', () => socket.destroy());
  socket.on('end', () => socket.destroy());
  socket.on('close', () => connection.closed());
  if (head.length > 0) connection.receive(head);
  return connection;
}

class Connection implements FrameSink, HopExchangeHost, HopServerConnection {
  readonly writer: HopWriter;
  readonly #socket: Socket;
  readonly #onExchange: ExchangeHandler;
  readonly #parser = new FrameParser(this, maxHopFrameBytes);
  readonly #exchanges = new Map<number, HopExchange>();
  /** Exchanges that wait for room, in order, so that each gets its turn. */
  #waiting = new Set<number>();
  #lastData: Buffer | undefined;
  #accepting = true;

  constructor(socket: Socket, onExchange: ExchangeHandler) {
    this.#socket = socket;
    this.#onExchange = onExchange;
    this.writer = new HopWriter(socket, () => this.#room());
  }

  receive(chunk: Buffer): void {
    try {
      this.#parser.push(chunk);
    } catch (error) {
      // After a broken frame, nothing else on this connection can be read.
      this.#socket.destroy();
      if (!(error instanceof FrameError)) process.emitWarning(error instanceof Error ? error : String(error));
    }
  }

  onFrame(id: number, type: number, _flags: number, payload: Buffer): void {
    if (type === hopFrame.request) return this.#begin(id, payload);
    if (type === hopFrame.data) this.#lastData = payload;
    if (type === hopFrame.same) return eachRepetition(id, payload, (again) => this.#repeat(again));
    const exchange = this.#exchanges.get(id);
    if (exchange === undefined) return;
    if (type === hopFrame.data) exchange.receiveBody(payload);
    else if (type === hopFrame.end) exchange.endBody();
    else if (type === hopFrame.window) exchange.grant(payload.readUInt32BE(0));
    else if (type === hopFrame.reset) exchange.cut();
  }

  #repeat(id: number): void {
    if (this.#lastData !== undefined) this.#exchanges.get(id)?.receiveBody(this.#lastData);
  }

  waitForRoom(id: number): void {
    this.#waiting.add(id);
  }

  forget(id: number): void {
    this.#exchanges.delete(id);
    this.#waiting.delete(id);
  }

  stopAccepting(): void {
    this.#accepting = false;
  }

  flush(): void {
    this.writer.flush();
  }

  closed(): void {
    for (const exchange of this.#exchanges.values()) exchange.cut();
  }

  #begin(id: number, payload: Buffer): void {
    if (!this.#accepting) {
      this.writer.reset(id, true);
      return;
    }
    const exchange = new HopExchange(this, id, readRequestHead(payload));
    this.#exchanges.set(id, exchange);
    this.#onExchange(exchange);
  }

  #room(): void {
    const waiting = this.#waiting;
    this.#waiting = new Set();
    for (const id of waiting) this.#exchanges.get(id)?.pump();
  }
}
