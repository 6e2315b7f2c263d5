import { setTimeout as sleep } from 'node:timers/promises';
import { newInternalError, StatusError } from '#shared/apimachinery/errors/status.ts';
import { formatDuration } from '#shared/apimachinery/values/duration.ts';
import type { CollectedAnswer } from '#shared/request/collect-answer.ts';
import { contentTypeOf, errorOfAnswer } from '#shared/webhooks/client-answer.ts';
import { contentTypeError } from '#shared/webhooks/content-type.ts';
import { hostOf, sendReview } from '#shared/webhooks/send-review.ts';
import { WebhookCallError } from '#shared/webhooks/webhook-call-error.ts';
import { FreshConnection, type FreshConnectionOptions } from './fresh-connection.ts';

export interface KubeconfigWebhookOptions extends FreshConnectionOptions {
  /** The pause before the second attempt; each later one is half as long again, and up to a fifth longer by chance. */
  readonly retryMs: number;
  /** The time of one attempt. Default: 30 s. */
  readonly timeoutMs?: number;
  /** The longest answer, in bytes. Default: 1 MiB. */
  readonly maxBytes?: number;
  /** Whether a longer answer is cut off there; otherwise the call fails. */
  readonly cutsAnswers?: boolean;
  /** Whether any failure is tried again. Default: those that are known to pass. */
  readonly retriesAll?: boolean;
}

export interface PostOptions {
  /** Ends the call. */
  readonly signal?: AbortSignal | undefined;
  /** Told of each attempt: the code of its answer, 0 where there is none, its time in seconds, and why it failed. */
  readonly onAttempt?: ((code: number, seconds: number, fault?: Error) => void) | undefined;
}

const attempts = 5;
const growth = 1.5;
const jitter = 0.2;
const defaultTimeoutMs = 30_000;
const defaultMaxBytes = 1024 * 1024;
/** Calls of a webhook that hangs must not pile up without end. */
const maxCalls = 4096;

/**
 * The webhook of a kubeconfig, by which an operator delegates decisions (apiserver/pkg/util/webhook): authentication
 * and authorization webhooks, and the one for images.
 */
export class KubeconfigWebhook {
  readonly #options: KubeconfigWebhookOptions;
  readonly #connection: FreshConnection;
  #calls = 0;

  /** @throws Error if the kubeconfig, or a file that it names, cannot be used */
  constructor(options: KubeconfigWebhookOptions) {
    this.#options = options;
    this.#connection = new FreshConnection(options);
  }

  /**
   * Posts JSON and returns the answer, if it is a successful one. Repeats the call where that may help.
   * @throws StatusError for an answer that is an error, WebhookCallError where there is none; in client-go's words
   */
  async post(body: string | Uint8Array, options: PostOptions = {}): Promise<CollectedAnswer> {
    const isOver = (): boolean => options.signal?.aborted === true;
    if (this.#calls >= maxCalls)
      throw new WebhookCallError(`${maxCalls} calls of the webhook wait for their answers; this one was not sent`);
    this.#calls++;
    try {
      let pauseMs = this.#options.retryMs;
      for (let attempt = 1; ; attempt++, pauseMs *= growth) {
        const { answer, fault } = await this.#attempt(body, options);
        if (answer !== undefined) return answer;
        if (attempt === attempts || isOver() || !this.#mayRetry(fault)) throw fault;
        const { signal } = options;
        await sleep(pauseMs * (1 + Math.random() * jitter), undefined, { signal }).catch(() => undefined);
        if (isOver()) throw fault;
      }
    } finally {
      this.#calls--;
    }
  }

  close(): void {
    this.#connection.close();
  }

  #mayRetry(fault: Error): boolean {
    return this.#options.retriesAll === true || mayRetry(fault);
  }

  async #attempt(body: string | Uint8Array, { signal, onAttempt }: PostOptions): Promise<Attempt> {
    const startMs = performance.now();
    const attempt = await this.#send(body, startMs, signal);
    onAttempt?.(attempt.code, (performance.now() - startMs) / 1000, attempt.fault);
    return attempt;
  }

  async #send(body: string | Uint8Array, startMs: number, signal: AbortSignal | undefined): Promise<Attempt> {
    const { timeoutMs = defaultTimeoutMs, maxBytes = defaultMaxBytes, cutsAnswers } = this.#options;
    try {
      const { target, agent } = await this.#connection.open();
      const url = new URL(target.server.includes('://') ? target.server : `http://${target.server}`);
      const path = url.pathname.replace(/\/+$/, '') || '/';
      const answer = await sendReview({
        agent,
        scheme: url.protocol,
        origin: url.origin,
        path: `${path}?timeout=${formatDuration(BigInt(Math.round(timeoutMs * 1e6)))}`,
        addressOf: () => hostOf(url.origin),
        headers: { 'user-agent': 'kube-apiserver', ...target.user.headers },
        body,
        untilMs: startMs + timeoutMs,
        maxBytes,
        cutsAnswers,
        timeoutMessage: 'context deadline exceeded (Client.Timeout exceeded while awaiting headers)',
        signal,
      });
      const fault = unreadable(answer) ?? errorOfAnswer(answer);
      return fault === undefined ? { answer, code: answer.status } : { fault, code: answer.status };
    } catch (error) {
      return { fault: error instanceof Error ? error : new Error(String(error)), code: 0 };
    }
  }
}

type Attempt =
  | { readonly answer: CollectedAnswer; readonly fault?: undefined; readonly code: number }
  | { readonly answer?: undefined; readonly fault: Error; readonly code: number };

function unreadable(answer: CollectedAnswer): StatusError | undefined {
  const type = contentTypeOf(answer);
  const fault = type === '' ? undefined : contentTypeError(type);
  return fault === undefined ? undefined : newInternalError(fault);
}

const retriedReasons: ReadonlySet<string> = new Set(['InternalError', 'Timeout', 'TooManyRequests']);
/** Reasons that client-go knows, whose code does not count. */
const knownReasons: ReadonlySet<string> = new Set(
  (
    'Unauthorized Forbidden NotFound AlreadyExists Conflict Gone Invalid ServerTimeout StoreReadError BadRequest ' +
    'MethodNotAllowed NotAcceptable RequestEntityTooLarge UnsupportedMediaType Expired ServiceUnavailable'
  ).split(' '),
);

/** Whether another attempt may help (`DefaultShouldRetry`). */
function mayRetry(fault: Error): boolean {
  if (!(fault instanceof StatusError)) return fault.message.includes('connection reset');
  const { code, reason, status } = fault;
  if (code === 429 || retriedReasons.has(reason)) return true;
  if (status.details !== undefined && (reason === 'ServerTimeout' || (fault.retryAfterSeconds ?? 0) > 0)) return true;
  return (code === 500 || code === 504) && !knownReasons.has(reason);
}
