import type { Buffer } from 'node:buffer';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import { collectAnswer } from '#shared/request/collect-answer.ts';
import type { ServiceAddress, ServiceReference } from '#shared/services/resolve-service.ts';
import { webhookAnswer } from './client-answer.ts';
import type { WebhookTarget } from './client-config.ts';
import { WebhookAgents } from './webhook-agents.ts';
import { WebhookCallError } from './webhook-call-error.ts';

export interface WebhookClientOptions {
  /** Finds the address of a Service. Rejects with an Error whose message may be shown to clients. */
  readonly resolve: (reference: ServiceReference) => Promise<ServiceAddress>;
}

export interface WebhookCallOptions {
  /** How long the call may take. It is sent along in whole seconds. */
  readonly timeoutMs: number;
  /** The longest answer, in bytes. Default: 16 MiB. */
  readonly maxBytes?: number;
  /** What the error says of a call that takes longer. Default: `context deadline exceeded`. */
  readonly timeoutMessage?: string;
  /** Ends the call when its request ends. */
  readonly signal?: AbortSignal | undefined;
}

const defaultMaxBytes = 16 * 1024 * 1024;

/** Sends reviews to webhooks. */
export class WebhookClient {
  readonly #resolve: WebhookClientOptions['resolve'];
  readonly #agents = new WebhookAgents();

  constructor({ resolve }: WebhookClientOptions) {
    this.#resolve = resolve;
  }

  /**
   * Posts JSON, and returns the body of the answer.
   * @throws WebhookCallError if there is no successful answer in time
   */
  async call(target: WebhookTarget, body: string, options: WebhookCallOptions): Promise<Buffer> {
    const { timeoutMs, maxBytes = defaultMaxBytes, timeoutMessage = 'context deadline exceeded', signal } = options;
    const agent = await this.#agents.get(target);
    const path = `${target.path}?timeout=${Math.ceil(timeoutMs / 1000)}s`;
    const host = target.origin.replace(/^https?:\/\//, '');
    try {
      const address = target.service === undefined ? host : await this.#resolve(target.service);
      const answer = await collectAnswer({
        dispatch(handler) {
          const origin = target.service === undefined ? target.origin : `https://${address}`;
          agent.dispatch({ origin, path, method: 'POST', headers: { host, ...headers }, body }, handler);
          return Promise.resolve();
        },
        address,
        limits: { timeoutMs, maxBytes },
        timeoutMessage,
        signal,
      });
      return webhookAnswer(answer);
    } catch (error) {
      if (error instanceof WebhookCallError) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      throw new WebhookCallError(`Post ${goQuote(target.origin + path)}: ${reason}`, {
        isAborted: signal?.aborted === true,
      });
    }
  }

  close(): void {
    this.#agents.close();
  }
}

const headers = {
  'user-agent': 'kube-apiserver-admission',
  accept: 'application/json, */*',
  'content-type': 'application/json',
};
