import { setTimeout as sleep } from 'node:timers/promises';
import { createSecureContext, getCACertificates } from 'node:tls';
import type { Agent } from 'undici';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import type { KubeconfigTarget } from '#shared/configuration/kubeconfig.ts';
import { collectAnswer, type CollectedAnswer } from '#shared/request/collect-answer.ts';
import { errorOfAnswer } from './review-answer.ts';

const timeoutMs = 30_000;
const connectTimeoutMs = 30_000;
const idleMs = 90_000;
const maxBytes = 16 * 1024 * 1024;
const attempts = 5;
const growth = 1.5;
const jitter = 0.2;

/** Posts reviews to the server of a kubeconfig, again after a while where that may help (util/webhook). */
export class ImageReviewClient {
  readonly #target: KubeconfigTarget;
  readonly #url: URL;
  readonly #retryMs: number;
  #agent: Promise<Agent> | undefined;

  /** `retryMs`: the pause before the second attempt; later ones are longer. */
  constructor(target: KubeconfigTarget, retryMs: number) {
    this.#target = target;
    this.#url = new URL(target.server.includes('://') ? target.server : `http://${target.server}`);
    this.#retryMs = retryMs;
  }

  /**
   * The answer, if it is a successful one.
   * @throws StatusError or Error whose message may be shown to clients, after all attempts
   */
  async post(body: string): Promise<CollectedAnswer> {
    let pauseMs = this.#retryMs;
    for (let attempt = 1; ; attempt++) {
      const { answer, fault, mayRetry } = await this.#attempt(body);
      if (answer !== undefined) return answer;
      if (!mayRetry || attempt === attempts) throw fault;
      await sleep(pauseMs * (1 + Math.random() * jitter));
      pauseMs *= growth;
    }
  }

  async #attempt(body: string): Promise<Attempt> {
    const path = `${this.#url.pathname.replace(/\/+$/, '') || '/'}?timeout=30s`;
    let answer: CollectedAnswer;
    try {
      const agent = await (this.#agent ??= openAgent(this.#target));
      answer = await collectAnswer({
        dispatch: (handler) => {
          agent.dispatch({ origin: this.#url.origin, path, method: 'POST', headers: this.#headers(), body }, handler);
          return Promise.resolve();
        },
        address: this.#url.host,
        limits: { timeoutMs, maxBytes },
        timeoutMessage: 'context deadline exceeded (Client.Timeout exceeded while awaiting headers)',
      });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const fault = new Error(`Post ${goQuote(this.#url.origin + path)}: ${reason}`);
      return { fault, mayRetry: reason.includes('connection reset') };
    }
    const { fault, mayRetry } = errorOfAnswer(answer);
    return fault === undefined ? { answer, mayRetry: false } : { fault, mayRetry };
  }

  #headers(): Record<string, string | string[]> {
    return {
      accept: 'application/json, */*',
      'content-type': 'application/json',
      'user-agent': 'kube-apiserver',
      ...this.#target.user.headers,
    };
  }
}

type Attempt =
  | { readonly answer: CollectedAnswer; readonly fault?: undefined; readonly mayRetry: false }
  | { readonly answer?: undefined; readonly fault: Error; readonly mayRetry: boolean };

/** undici is loaded for the first call: most servers have no such webhook. */
async function openAgent({ caBundle, isInsecure, tlsServerName, user }: KubeconfigTarget): Promise<Agent> {
  const { Agent: HttpAgent } = await import('undici');
  return new HttpAgent({
    connect: {
      secureContext: createSecureContext({
        ca: caBundle ?? getCACertificates('system'),
        // A bundle may hold an intermediate authority, or the served certificate itself.
        allowPartialTrustChain: true,
        ...user.certificate,
      }),
      rejectUnauthorized: !isInsecure,
      ...(tlsServerName !== '' && { servername: tlsServerName }),
      timeout: connectTimeoutMs,
    },
    allowH2: false,
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: idleMs,
    keepAliveMaxTimeout: idleMs,
  });
}
