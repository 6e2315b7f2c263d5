import type { Readable } from 'node:stream';
import { failureStatus, StatusError } from '#shared/apimachinery/errors/status.ts';
import { relayBodyTo } from '#shared/request/relay/relay-body.ts';
import type { AnswerHandler } from '#shared/request/relay/relay.ts';

/**
 * A response of at most this size is sent with its length, as by Go's server (net/http, bufferBeforeChunkingSize).
 */
const wholeBytes = 2048;

/** The head of a rewritten page. */
export interface PageHead {
  readonly status: number;
  /** The page answers HEAD, so it has no body. */
  readonly isHead: boolean;
  /** Called when the response starts. */
  readonly addHeaders: () => void;
}

/**
 * Streams a rewritten page, whose length is not known in advance; a short page is sent whole. A page that cannot be
 * decoded before that is an error.
 */
export function passPage({ status, isHead, addHeaders }: PageHead, body: Readable, handler: AnswerHandler): void {
  const begun: Buffer[] = [];
  let bytes = 0;
  const onData = (chunk: Buffer): void => {
    begun.push(chunk);
    bytes += chunk.length;
    if (bytes <= wholeBytes) return;
    body.off('data', onData).off('end', onEnd).off('error', onError);
    addHeaders();
    handler.onHead(status, {});
    relayBodyTo(handler, body);
    for (const part of begun) if (!handler.onData(part)) body.pause();
  };
  const onEnd = (): void => {
    addHeaders();
    if (!isHead) return handler.onWhole(status, {}, Buffer.concat(begun));
    handler.onHead(status, {});
    handler.onEnd(undefined);
  };
  const onError = (error: Error): void =>
    handler.onError(new StatusError(failureStatus(500, '', describeCoding(error))));
  body.on('data', onData).on('end', onEnd).on('error', onError);
}

/** The error message of Go's compress/gzip. */
function describeCoding(error: Error & { code?: string }): string {
  if (error.code === 'Z_BUF_ERROR') return 'unexpected EOF';
  return error.message === 'incorrect header check' ? 'gzip: invalid header' : error.message;
}
