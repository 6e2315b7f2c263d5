import { Buffer } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { goNetworkError } from './go-network-error.ts';

export interface CollectedAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface CollectOptions {
  /** Sends the request; rejects if it is refused before it is sent. */
  readonly dispatch: (handler: Dispatcher.DispatchHandler) => Promise<void>;
  /** Address of the server for messages, `host:port`. */
  readonly address: string;
  readonly limits: {
    readonly timeoutMs: number;
    readonly maxBytes: number;
    /** Whether a longer body is cut off, and its connection ended; otherwise the call fails. */
    readonly cuts?: boolean | undefined;
  };
  /** The message where there is no whole answer in time. */
  readonly timeoutMessage: string;
  /** Ends the exchange with the message of its reason. */
  readonly signal?: AbortSignal | undefined;
}

/** There is no whole answer. */
export class ExchangeError extends Error {
  override readonly name = 'ExchangeError';
  /** Whether the answer had begun. */
  readonly isInBody: boolean;

  constructor(message: string, isInBody: boolean) {
    super(message);
    this.isInBody = isInBody;
  }
}

/**
 * Sends a request and collects its answer within limits. Rejects with an ExchangeError whose message may be shown to
 * clients.
 */
export function collectAnswer({
  dispatch,
  address,
  limits: { timeoutMs, maxBytes, cuts = false },
  timeoutMessage,
  signal,
}: CollectOptions): Promise<CollectedAnswer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let status = 0;
    let answered: IncomingHttpHeaders = {};
    let controller: Dispatcher.DispatchController | undefined;
    let over = false;
    const fail = (message: string): void => {
      over = true;
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      reject(new ExchangeError(message, status >= 200));
      controller?.abort(new Error(message));
    };
    const timer = setTimeout(() => fail(timeoutMessage), timeoutMs);
    const onAbort = (): void => fail(String((signal?.reason as Error | undefined)?.message));
    if (signal?.aborted === true) return onAbort();
    signal?.addEventListener('abort', onAbort, { once: true });
    const done = (): void => {
      over = true;
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      resolve({ status, headers: answered, body: Buffer.concat(chunks) });
    };
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart: (started) => {
        controller = started;
        // The timeout expired before there was a connection.
        if (over) started.abort(new Error('aborted'));
      },
      onResponseStart: (_controller, code, headers) => {
        status = code;
        answered = headers;
        if (maxBytes > 0 || code < 200) return;
        done();
        controller?.abort(new Error('the body is not wanted'));
      },
      onResponseData: (_controller, chunk) => {
        size += chunk.length;
        if (size > maxBytes && cuts) {
          done();
          controller?.abort(new Error('the rest of the body is not wanted'));
        } else if (size > maxBytes) fail(`the answer is longer than ${maxBytes} bytes`);
        else chunks.push(chunk);
      },
      onResponseEnd: done,
      onResponseError: (_controller, error) => fail(goNetworkError(error, address)),
    };
    dispatch(handler).catch((error: unknown) => fail(goNetworkError(error, address)));
  });
}
