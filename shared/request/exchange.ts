import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex, Readable } from 'node:stream';
import type { BodyFlow } from './body-flow.ts';

/** Headers by lower-case name. Repeated headers are joined as in node:http. */
export type IncomingHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;
export type OutgoingHeaders = Record<string, string | number | string[]>;

/**
 * The listener of the connection: the public one, or an internal one where identity headers of a front proxy are
 * trusted.
 */
export type ListenerTrust = 'public' | 'internal';

/**
 * One request and its answer, independent of the transport: an HTTP/2 stream, HTTP/1.1, or frames between processes.
 * Exactly one of {@link send}, {@link stream} and {@link upgrade} answers it.
 */
export interface Exchange {
  readonly method: string;
  /** The path as sent: percent-encoded, without the query. */
  readonly path: string;
  /** The query without `?`; empty if there is none. */
  readonly query: string;
  readonly httpVersion: '1.1' | '2.0';
  /** For HTTP/2 with the pseudo headers (`:path`, …). */
  readonly headers: IncomingHeaders;
  /**
   * Names and values in turn, as received; repeated headers are not joined. Absent if the transport has no such list.
   */
  readonly rawHeaders?: readonly string[];
  /**
   * The part of {@link rawHeaders} that other requests have, too: the same list for the same headers, so that results can
   * be kept by it. On the hop from the gateway, all but those that the gateway writes for one request (`audit-id` and the
   * like).
   */
  readonly sharedHeaders?: readonly string[];
  readonly remoteAddress: string;
  /** 0 where the transport has none. */
  readonly remotePort: number;
  readonly trust: ListenerTrust;
  /**
   * The certificates that the client sent, its own first, in DER; the same array for all requests of a connection. The
   * handshake has not verified them. Undefined without a client certificate.
   */
  peerCertificates(): readonly Buffer[] | undefined;

  /**
   * Whether a body was announced, by Content-Length or Transfer-Encoding, or in HTTP/2 by a stream that did not end with
   * its headers. The body may still turn out to be empty.
   */
  readonly hasBody: boolean;
  /**
   * Whether the client sends the body only when it is asked to (`Expect: 100-continue`). The first read of the body asks
   * it; an answer before that spares the body.
   */
  readonly expectsContinue: boolean;
  /** The body as it arrives. Do not mix with {@link readBody} and {@link bodyFlow}. */
  readonly body: Readable;
  /** The body as it arrives, for one taker that passes it on; may be asked for once. */
  bodyFlow(): BodyFlow;
  /** Reads the whole body. Throws a 413 StatusError over `maxBytes`. */
  readBody(maxBytes: number): Promise<Buffer>;
  /**
   * True if a body was announced and has not arrived completely; `listener` is then called once it was read to its end.
   * Always false on the hop from the gateway, since the limits that heed this are the gateway's.
   */
  awaitsBody(listener: () => void): boolean;

  /** Sets a header for the answer; a header of the same name that is passed with the answer takes precedence. */
  setHeader(name: string, value: string | string[]): void;
  /** Adds a `Warning` header (already formatted: `299 - "text"`). */
  appendHeader(name: string, value: string): void;

  /**
   * Calls the listener once: when the answer begins, or when the client disconnects before. How long the client takes
   * to read the answer does not matter.
   */
  onAnswer(listener: () => void): void;
  /**
   * Calls the listener once: when the whole answer was made, before its last bytes are sent, or when the client
   * disconnects before. A promise that it returns holds these bytes back until it is settled.
   */
  onComplete(listener: () => void | Promise<unknown>): void;
  /** True once send, stream or upgrade was called. */
  readonly responded: boolean;
  /** Status code of the answer; 0 before. */
  readonly statusCode: number;
  /** Sends an informational answer (1xx, neither 100 nor 101) before the final one; ignored after its beginning. */
  inform(status: number, headers: OutgoingHeaders): void;
  /** Sends the whole answer; several chunks form one body. The headers are copied. */
  send(status: number, headers: OutgoingHeaders, body?: string | Uint8Array | readonly Uint8Array[]): void;
  /** Starts an answer whose body follows. Headers are flushed at once. */
  stream(status: number, headers: OutgoingHeaders): ResponseStream;
  /** Aborts an incomplete answer: the client sees an error. Does nothing if the answer is complete. */
  abandon(): void;
  /** The raw connection of an HTTP/1.1 upgrade request, for proxies; undefined when the request is no upgrade. */
  upgrade(): TakenConnection | undefined;

  /** Sends a message about the request to the gateway (`hopFrame.note`); absent if the transport has no frames for it. */
  sendNote?(message: Uint8Array): void;

  /**
   * Node's own request and response, for libraries that need these; absent if the transport has none. Even when the
   * request is read through them, the answer goes through this interface.
   */
  readonly node?: NodeExchange;

  /** Bytes of the answer's body so far. */
  readonly answerBytes: number;
  /** Bytes of the answer that wait for the client to read them. */
  readonly queuedBytes: number;
  /**
   * Drops a client that does not read its answer or does not send its request, together with the bytes queued for it.
   */
  dropClient(): void;

  /** Whether the client has disconnected or the answer is complete. */
  readonly closed: boolean;
  /** Calls the listener once: at the end of the answer or when the client disconnects. */
  onClose(listener: () => void): void;
}

/** The client's connection, on which the taker writes the answer itself. */
export interface TakenConnection {
  readonly socket: Duplex;
  /** Bytes that were received after the request. */
  readonly head: Buffer;
  /** Lines of headers for the gateway, which the answer holds before its empty line; empty for other clients. */
  readonly hopLines: string;
}

export interface NodeExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** The body of an answer that is being sent. */
export interface ResponseStream {
  /**
   * False when the transport's buffer is full: wait for {@link onDrain}. `written` is called when the bytes are no
   * longer needed, if the transport knows this.
   */
  write(chunk: string | Uint8Array, written?: (error?: Error | null) => void): boolean;
  /** Bytes that wait in the transport. */
  readonly bufferedBytes: number;
  onDrain(listener: () => void): void;
  end(trailers?: OutgoingHeaders): void;
  /** Ends the connection or stream without completing the body, so that the client sees an error. */
  abort(): void;
}
