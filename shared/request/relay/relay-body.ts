import type { Buffer } from 'node:buffer';
import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { OutgoingHeaders, ResponseStream } from '#shared/request/exchange.ts';
import { answerHeaders, parsedAnswerHeaders } from './connection-headers.ts';
import type { AnswerHandler } from './relay.ts';

/** The destination of a body. */
export type BodySink = Pick<ResponseStream, 'onDrain' | 'end' | 'abort'> & {
  /** False when the sink is full: no more is written until {@link ResponseStream.onDrain}. */
  write(chunk: Buffer): boolean;
};

/**
 * Streams a body to the sink, whose back-pressure holds up the source. Where the body breaks off, the sink is aborted.
 * The trailers of `answer`, if any, follow the body.
 */
export function relayBody(body: Readable, sink: BodySink, answer?: IncomingMessage): void {
  sink.onDrain(() => body.resume());
  body.on('data', (chunk: Buffer) => {
    if (!sink.write(chunk)) body.pause();
  });
  body.on('end', () => sink.end(answer === undefined ? undefined : trailersOf(answer)));
  body.on('error', () => sink.abort());
}

/** Does the same for a handler, which has the head of the answer already; its call is to resume the body. */
export function relayBodyTo(handler: AnswerHandler, body: Readable, answer?: IncomingMessage): void {
  relayBody(
    body,
    {
      write: (chunk) => handler.onData(chunk),
      onDrain: () => undefined,
      end: (trailers) => handler.onEnd(trailers),
      abort: () => handler.onError(new Error('the answer broke off')),
    },
    answer,
  );
}

/** Passes informational answers (1xx) to the handler; what asks for the body is the sender's own affair. */
export function relayInformation(request: ClientRequest, handler: AnswerHandler): void {
  request.on('information', ({ statusCode, rawHeaders }) => {
    if (statusCode !== 100) handler.onInformation?.(statusCode, answerHeaders(rawHeaders));
  });
}

function trailersOf({ trailers }: IncomingMessage): OutgoingHeaders | undefined {
  return Object.keys(trailers).length === 0 ? undefined : parsedAnswerHeaders(trailers);
}
