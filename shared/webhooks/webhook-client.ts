import type { Buffer } from 'node:buffer';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Agent, Dispatcher } from 'undici';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import { collectAnswer, ExchangeError, type CollectedAnswer } from '#shared/request/collect-answer.ts';
import type { ServiceAddress, ServiceReference } from '#shared/services/resolve-service.ts';
import { retryAfterSeconds, webhookAnswer } from './client-answer.ts';
import type { WebhookTarget } from './client-config.ts';
import { ownHostPort, type OwnServer } from './own-server.ts';
import { nextHop, type Hop } from './redirect.ts';
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

const defaultMaxBytes = 16 * 1024 * 1024;
/** As many as client-go makes. */
const maxRetries = 10;

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
  async call(target: WebhookTarget, body: string, options: WebhookCallOptions): Promise<Buffer> {
    const call = await this.#begin(target, body, options);
    for (let retries = 0; ; retries++) {
      const answer = await this.#follow(call);
      const seconds = retries < maxRetries ? retryAfterSeconds(answer) : undefined;
      if (seconds === undefined) return webhookAnswer(answer);
      const pauseMs = Math.max(0, Math.min(seconds * 1000, call.untilMs - performance.now()));
      await sleep(pauseMs, undefined, { signal: options.signal }).catch(() => undefined);
    }
  }

  close(): void {
    this.#agents.close();
    this.#options.ownServer.close();
  }

  async #begin(target: WebhookTarget, body: string, options: WebhookCallOptions): Promise<Call> {
    const path = `${target.path}?timeout=${Math.ceil(options.timeoutMs / 1000)}s`;
    const untilMs = performance.now() + options.timeoutMs;
    const first: Hop = { url: target.origin + path, path, sendsBody: true, headers: {} };
    const common = { target, body, options, untilMs, first };
    if (target.hostPort === ownHostPort) {
      const { agent, user } = await this.#options.ownServer.open();
      return { ...common, agent, user };
    }
    const user = usable(() => this.#users.at(target.hostPort));
    return { ...common, agent: await this.#agents.get(target, user), user };
  }

  /** Sends the request, and those that redirects ask for. */
  async #follow(call: Call): Promise<CollectedAnswer> {
    const hops = [call.first];
    for (let hop: Hop | undefined = call.first; ; hops.push(hop)) {
      const answer = await this.#send(call, hop);
      hop = nextHop(answer, hops);
      if (hop === undefined) return answer;
    }
  }

  async #send(call: Call, hop: Hop): Promise<CollectedAnswer> {
    const { target, options, untilMs } = call;
    const { maxBytes = defaultMaxBytes, timeoutMessage = 'context deadline exceeded', signal } = options;
    try {
      const address = await this.#addressOf(target);
      const timeoutMs = untilMs - performance.now();
      if (timeoutMs <= 0) throw new Error(timeoutMessage);
      return await collectAnswer({
        dispatch(handler) {
          call.agent.dispatch(requestOf(call, hop, address), handler);
          return Promise.resolve();
        },
        address,
        limits: { timeoutMs, maxBytes },
        timeoutMessage,
        signal,
      });
    } catch (error) {
      throw new WebhookCallError(failureText(error, hop.url), { isAborted: signal?.aborted === true });
    }
  }

  async #addressOf({ service, hostPort, origin }: WebhookTarget): Promise<ServiceAddress> {
    return service === undefined || hostPort === ownHostPort ? hostOf(origin) : await this.#options.resolve(service);
  }
}

/** One call of a webhook, which may take several requests. */
interface Call {
  readonly target: WebhookTarget;
  readonly body: string;
  readonly options: WebhookCallOptions;
  readonly agent: Agent;
  readonly user: WebhookUser;
  /** By the clock of `performance`. */
  readonly untilMs: number;
  readonly first: Hop;
}

function requestOf({ target, user, body }: Call, hop: Hop, address: ServiceAddress): Dispatcher.DispatchOptions {
  // A gateway is called without TLS of its own: the connection brings it where it is needed.
  const scheme = target.hostPort === ownHostPort ? 'http:' : new URL(target.origin).protocol;
  return {
    origin: `${scheme}//${address}`,
    path: hop.path,
    headers: {
      host: hostOf(target.origin),
      ...commonHeaders,
      ...(hop.sendsBody && jsonBody),
      ...hop.headers,
      ...user.headers,
    },
    ...(hop.sendsBody ? { method: 'POST', body } : { method: 'GET' }),
  };
}

function hostOf(origin: string): string {
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

function usable<T>(find: () => T): T {
  try {
    return find();
  } catch (error) {
    throw new WebhookCallError(error instanceof Error ? error.message : String(error), { isUnusable: true });
  }
}

const commonHeaders = {
  'user-agent': 'kube-apiserver-admission',
  accept: 'application/json, */*',
};

const jsonBody = { 'content-type': 'application/json' };
