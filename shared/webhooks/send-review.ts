import { Buffer } from 'node:buffer';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Dispatcher } from 'undici';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import { collectAnswer, ExchangeError, type CollectedAnswer } from '#shared/request/collect-answer.ts';
import type { ServiceAddress } from '#shared/services/resolve-service.ts';
import { retryAfterSeconds } from './client-answer.ts';
import { countAttempt, observeCall } from './client-metrics.ts';
import { nextHop, type Hop } from './redirect.ts';
import { WebhookCallError } from './webhook-call-error.ts';
import { countCertificateFailure } from './webhook-certificates.ts';

/** One call of a webhook, which may take several requests. */
export interface ReviewCall {
  readonly agent: Dispatcher;
  /** `http:` or `https:`, as the agent is to connect. */
  readonly scheme: string;
  /** `https://host:port` as errors and the header `Host` have it. */
  readonly origin: string;
  /** With its query. */
  readonly path: string;
  /** Where a request goes; asked for each. Rejects with an Error whose message may be shown to clients. */
  readonly addressOf: () => Promise<ServiceAddress> | ServiceAddress;
  readonly headers: Readonly<Record<string, string | string[]>>;
  /** JSON. */
  readonly body: string | Uint8Array;
  /** By the clock of `performance`. */
  readonly untilMs: number;
  /** The longest answer, in bytes. Default: 16 MiB. */
  readonly maxBytes?: number | undefined;
  /** Whether a longer answer is cut off there; otherwise the call fails. */
  readonly cutsAnswers?: boolean | undefined;
  /** What the error says of a call that takes longer. Default: `context deadline exceeded`. */
  readonly timeoutMessage?: string | undefined;
  /** Ends the call. */
  readonly signal?: AbortSignal | undefined;
}

const defaultMaxBytes = 16 * 1024 * 1024;
/** As many as client-go makes. */
const maxRetries = 10;

/**
 * Posts a review and returns the answer, whatever its code. Follows redirects to the same server, and repeats the call
 * where an answer asks for that (`Retry-After`).
 * @throws WebhookCallError if there is no whole answer in time
 */
export async function sendReview(call: ReviewCall): Promise<CollectedAnswer> {
  const startedMs = performance.now();
  let answer: CollectedAnswer | undefined;
  try {
    return (answer = await attempt(call));
  } finally {
    observeCall(hostOf(call.origin), startedMs, answer?.body.length);
  }
}

async function attempt(call: ReviewCall): Promise<CollectedAnswer> {
  const bytes = Buffer.byteLength(call.body);
  const host = hostOf(call.origin);
  for (let retries = 0; ; retries++) {
    let answer: CollectedAnswer | undefined;
    try {
      answer = await follow(call);
    } finally {
      countAttempt(host, answer?.status, bytes, retries > 0);
    }
    const seconds = retries < maxRetries ? retryAfterSeconds(answer) : undefined;
    if (seconds === undefined) return answer;
    const pauseMs = Math.max(0, Math.min(seconds * 1000, call.untilMs - performance.now()));
    await sleep(pauseMs, undefined, { signal: call.signal }).catch(() => undefined);
  }
}

/** Sends the request, and those that redirects ask for. */
async function follow(call: ReviewCall): Promise<CollectedAnswer> {
  const first: Hop = { url: call.origin + call.path, path: call.path, sendsBody: true, headers: {} };
  const hops = [first];
  for (let hop: Hop | undefined = first; ; hops.push(hop)) {
    const answer = await send(call, hop);
    hop = nextHop(answer, hops);
    if (hop === undefined) return answer;
  }
}

async function send(call: ReviewCall, hop: Hop): Promise<CollectedAnswer> {
  const { untilMs, maxBytes = defaultMaxBytes, timeoutMessage = 'context deadline exceeded', signal } = call;
  try {
    const address = await call.addressOf();
    const timeoutMs = untilMs - performance.now();
    if (timeoutMs <= 0) throw new Error(timeoutMessage);
    return await collectAnswer({
      dispatch(handler) {
        call.agent.dispatch(requestOf(call, hop, address), handler);
        return Promise.resolve();
      },
      address,
      limits: { timeoutMs, maxBytes, cuts: call.cutsAnswers },
      timeoutMessage,
      signal,
    });
  } catch (error) {
    const text = failureText(error, hop.url);
    countCertificateFailure(text);
    throw new WebhookCallError(text, { isAborted: signal?.aborted === true });
  }
}

function requestOf(call: ReviewCall, hop: Hop, address: ServiceAddress): Dispatcher.DispatchOptions {
  return {
    origin: `${call.scheme}//${address}`,
    path: hop.path,
    headers: {
      host: hostOf(call.origin),
      accept: 'application/json, */*',
      ...(hop.sendsBody && jsonBody),
      ...hop.headers,
      ...call.headers,
    },
    ...(hop.sendsBody ? { method: 'POST', body: call.body } : { method: 'GET' }),
  };
}

/** `host:port` of an origin. */
export function hostOf(origin: string): string {
  return origin.replace(/^[^:]+:\/\//, '');
}

function failureText(error: unknown, url: string): string {
  const reason = error instanceof Error ? error.message : String(error);
  if (!(error instanceof ExchangeError && error.isInBody)) return `Post ${goQuote(url)}: ${reason}`;
  const [subject, original] = reason.startsWith('stream error')
    ? ['stream error when reading response body, may be caused by closed connection', reason]
    : ['unexpected error when reading response body', reason === 'EOF' ? 'unexpected EOF' : reason];
  return `${subject}. Please retry. Original error: ${original}`;
}

const jsonBody = { 'content-type': 'application/json' };
