import type { Buffer } from 'node:buffer';
import type { Agent } from 'undici';
import type { ServiceAddress, ServiceReference } from '#shared/services/resolve-service.ts';
import { recordedSpan, runSpan, traceHeaders } from '#shared/spans/active-span.ts';
import type { RequestSpan } from '#shared/spans/request-span.ts';
import { webhookAnswer } from './client-answer.ts';
import type { WebhookTarget } from './client-config.ts';
import { ownHostPort, type OwnServer } from './own-server.ts';
import { hostOf, sendReview } from './send-review.ts';
import { WebhookAgents } from './webhook-agents.ts';
import { WebhookCallError } from './webhook-call-error.ts';
import { FreshUsers, type WebhookUser, type WebhookUsers } from './webhook-users.ts';

export interface WebhookClientOptions {
  /** Finds the address of a Service. Rejects with an Error whose message may be shown to clients. */
  readonly resolve: (reference: ServiceReference) => Promise<ServiceAddress>;
  /** This cluster's own API server, which is called as the servers' own user. */
  readonly ownServer: OwnServer;
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

/** Sends reviews to webhooks. */
export class WebhookClient {
  readonly #options: WebhookClientOptions;
  readonly #agents: WebhookAgents;
  readonly #users: FreshUsers;

  constructor(options: WebhookClientOptions, agents = new WebhookAgents(), users?: WebhookUsers) {
    this.#options = options;
    this.#agents = agents;
    this.#users = new FreshUsers(users);
  }

  /** A client with the same connections for calls as the users of a kubeconfig. */
  as(users: WebhookUsers | undefined): WebhookClient {
    return new WebhookClient(this.#options, this.#agents, users);
  }

  /**
   * Posts JSON, and returns the body of the answer. Repeats the call where an answer asks for that (`Retry-After`).
   * @throws WebhookCallError if there is no successful answer in time
   */
  call(target: WebhookTarget, body: string, options: WebhookCallOptions): Promise<Buffer> {
    const span = recordedSpan()?.child('HTTP POST', undefined, 'client');
    if (span === undefined) return this.#call(target, body, options);
    span.set({ 'http.request.method': 'POST', 'url.full': target.origin + target.path });
    return runSpan(span, () => this.#call(target, body, options).catch((error: unknown) => failed(span, error)));
  }

  async #call(target: WebhookTarget, body: string, options: WebhookCallOptions): Promise<Buffer> {
    const { timeoutMs, ...limits } = options;
    const untilMs = performance.now() + timeoutMs;
    const { agent, user } = await this.#connection(target);
    return webhookAnswer(
      await sendReview({
        agent,
        // A gateway is called without TLS of its own: the connection brings it where it is needed.
        scheme: target.hostPort === ownHostPort ? 'http:' : new URL(target.origin).protocol,
        origin: target.origin,
        path: `${target.path}?timeout=${Math.ceil(timeoutMs / 1000)}s`,
        addressOf: () => this.#addressOf(target),
        headers: { 'user-agent': 'kube-apiserver-admission', ...user.headers, ...traceHeaders() },
        body,
        untilMs,
        ...limits,
      }),
    );
  }

  close(): void {
    this.#agents.close();
    this.#options.ownServer.close();
  }

  async #connection(target: WebhookTarget): Promise<{ readonly agent: Agent; readonly user: WebhookUser }> {
    if (target.hostPort === ownHostPort) return await this.#options.ownServer.open();
    const user = usable(() => this.#users.at(target.hostPort));
    return { agent: await this.#agents.get(target, user), user };
  }

  #addressOf({ service, hostPort, origin }: WebhookTarget): Promise<ServiceAddress> | ServiceAddress {
    return service === undefined || hostPort === ownHostPort ? hostOf(origin) : this.#options.resolve(service);
  }
}

function usable<T>(find: () => T): T {
  try {
    return find();
  } catch (error) {
    throw new WebhookCallError(error instanceof Error ? error.message : String(error), { isUnusable: true });
  }
}

/** @throws the error */
function failed(span: RequestSpan, error: unknown): never {
  span.fail(error instanceof Error ? error.message : String(error));
  throw error;
}
