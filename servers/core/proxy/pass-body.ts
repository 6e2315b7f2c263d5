import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { failureStatus, StatusError } from '#shared/apimachinery/errors/status.ts';
import type { Exchange, OutgoingHeaders, ResponseStream } from '#shared/request/exchange.ts';

/**
 * A response of at most this size is sent with its length, as by Go's server (net/http, bufferBeforeChunkingSize).
 */
const wholeBytes = 2048;

/** Streams a body to the client with back-pressure. If the target's body breaks off, the client's response does too. */
export function passBody(exchange: Exchange, answer: IncomingMessage, body: Readable): void {
  relay(exchange, exchange.stream(answer.statusCode ?? 502, {}), body, () => trailersOf(answer));
}

/**
 * Streams a rewritten page, whose length is not known in advance; a short page is sent whole. `addHeaders` is called
 * when the response starts. Rejects if the page cannot be decoded before that.
 */
export function passPage(exchange: Exchange, status: number, addHeaders: () => void, body: Readable): Promise<void> {
  return new Promise((resolve, reject) => {
    const begun: Buffer[] = [];
    let bytes = 0;
    const onData = (chunk: Buffer): void => {
      begun.push(chunk);
      bytes += chunk.length;
      if (bytes <= wholeBytes || exchange.closed) return;
      body.off('data', onData).off('end', onEnd).off('error', onError);
      addHeaders();
      const stream = exchange.stream(status, {});
      relay(exchange, stream, body, () => undefined);
      for (const part of begun) if (!stream.write(part)) body.pause();
      resolve();
    };
    const onEnd = (): void => {
      if (exchange.closed) return resolve();
      addHeaders();
      if (exchange.method === 'HEAD') exchange.stream(status, {}).end();
      else exchange.send(status, {}, Buffer.concat(begun));
      resolve();
    };
    const onError = (error: Error): void => {
      if (exchange.closed) resolve();
      else reject(new StatusError(failureStatus(500, '', describeCoding(error))));
    };
    body.on('data', onData).on('end', onEnd).on('error', onError);
    exchange.onClose(() => body.destroy());
  });
}

/** The error message of Go's compress/gzip. */
function describeCoding(error: Error & { code?: string }): string {
  if (error.code === 'Z_BUF_ERROR') return 'unexpected EOF';
  return error.message === 'incorrect header check' ? 'gzip: invalid header' : error.message;
}

function relay(
  exchange: Exchange,
  stream: ResponseStream,
  body: Readable,
  trailers: () => OutgoingHeaders | undefined,
): void {
  stream.onDrain(() => body.resume());
  body.on('data', (chunk: Buffer) => {
    if (!stream.write(chunk)) body.pause();
  });
  body.on('end', () => {
    const after = trailers();
    if (after === undefined) stream.end();
    else stream.end(after);
  });
  body.on('error', () => stream.abort());
  exchange.onClose(() => body.destroy());
}

function trailersOf({ trailers }: IncomingMessage): OutgoingHeaders | undefined {
  return Object.keys(trailers).length === 0 ? undefined : ({ ...trailers } as OutgoingHeaders);
}
