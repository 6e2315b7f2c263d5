import { request as httpRequest } from 'node:http';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { encodeIdentity } from '../authentication/hop-identity.ts';
import type { ResponseStream } from '../request/exchange.ts';
import type { Handler } from '../request/request-context.ts';

/** Where a backend serves it, on its internal listener only. */
export const controlStreamPath = '/.quarterdeck/control';

/** One group version that a backend serves. Priorities are those of its APIService. */
export interface ServedGroupVersion {
  readonly group: string;
  readonly version: string;
  readonly groupPriority: number;
  readonly versionPriority: number;
  /** Comes from a CustomResourceDefinition: its APIService goes with it, and comes back when somebody deletes it. */
  readonly defined?: boolean;
}

/** A health check of a backend. `reason` is for logs; clients see only the name. */
export interface BackendCheck {
  readonly name: string;
  readonly healthz: boolean;
  readonly livez: boolean;
  readonly readyz: boolean;
  readonly ok: boolean;
  readonly reason: string;
}

/** What a backend tells its gateways; each message replaces the one before. */
export interface BackendState {
  readonly type: 'state';
  /** `core`, `extensions`. */
  readonly server: string;
  /** Takes requests. */
  readonly ready: boolean;
  /** Shutting down: no new requests, please. */
  readonly draining: boolean;
  readonly groupVersions: readonly ServedGroupVersion[];
  readonly checks: readonly BackendCheck[];
  /** Rises when discovery or OpenAPI documents changed in more than their group versions. */
  readonly generation?: number;
}

const heartbeatMs = 5000;
/** Two heartbeats and some. */
const silenceMs = 12_500;
const firstRetryMs = 10;
const lastRetryMs = 500;

const gatewayIdentity = ['host', 'localhost', ...encodeIdentity({ name: 'system:apiserver', uid: '', groups: ['system:masters', 'system:authenticated'], extra: {} })];

/** A backend's end: keeps the state and tells it to every gateway that listens. */
export class ControlStreamSource {
  #line: string;
  #state: BackendState;
  readonly #streams = new Set<ResponseStream>();
  #timer: NodeJS.Timeout | undefined;

  constructor(state: BackendState) {
    this.#state = state;
    this.#line = `${JSON.stringify(state)}\n`;
  }

  get state(): BackendState {
    return this.#state;
  }

  /** Tells only what differs from the last state. */
  update(changes: Partial<Omit<BackendState, 'type'>>): void {
    this.#state = { ...this.#state, ...changes };
    const line = `${JSON.stringify(this.#state)}\n`;
    if (line === this.#line) return;
    this.#line = line;
    for (const stream of this.#streams) stream.write(line);
  }

  /** Serves {@link controlStreamPath}. Answers 404 on a public listener. */
  readonly handler: Handler = ({ exchange }) => {
    if (exchange.trust !== 'internal') {
      exchange.send(404, { 'content-type': 'text/plain; charset=utf-8' }, '404 page not found\n');
      return;
    }
    const stream = exchange.stream(200, { 'content-type': 'application/x-ndjson' });
    this.#streams.add(stream);
    exchange.onClose(() => this.#streams.delete(stream));
    stream.write(this.#line);
    this.#timer ??= setInterval(() => this.#beat(), heartbeatMs).unref();
  };

  /** Ends all streams, so that the listener can close. */
  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    for (const stream of this.#streams) stream.end();
    this.#streams.clear();
  }

  #beat(): void {
    for (const stream of this.#streams) stream.write('\n');
  }
}

export interface ControlStreamClientOptions {
  readonly socketPath: string;
  onState(state: BackendState): void;
  /** The stream broke; it is opened again inside. Not called before the first connection. */
  onGone(reason: string): void;
}

/** The gateway's end: one stream a backend, opened again for as long as the client lives. */
export class ControlStreamClient {
  readonly #options: ControlStreamClientOptions;
  #request: ClientRequest | undefined;
  #retry: NodeJS.Timeout | undefined;
  #retryMs = firstRetryMs;
  #connected = false;
  #closed = false;

  constructor(options: ControlStreamClientOptions) {
    this.#options = options;
    this.#connect();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#retry);
    this.#request?.destroy();
  }

  /** Tries at once instead of at the end of the pause: somebody saw the backend alive. */
  hurry(): void {
    if (this.#retry === undefined) return;
    clearTimeout(this.#retry);
    this.#connect();
  }

  #connect(): void {
    this.#retry = undefined;
    const request = httpRequest({ socketPath: this.#options.socketPath, path: controlStreamPath, agent: false, setHost: false, headers: gatewayIdentity as never });
    this.#request = request;
    request.on('response', (response) => this.#read(request, response));
    request.on('error', (error) => this.#lost(request, error.message));
    request.on('close', () => this.#lost(request, 'the stream ended'));
    request.end();
  }

  #read(request: ClientRequest, response: IncomingMessage): void {
    if (response.statusCode !== 200) {
      request.destroy(new Error(`the control stream answered ${response.statusCode}`));
      return;
    }
    this.#connected = true;
    this.#retryMs = firstRetryMs;
    response.socket.setTimeout(silenceMs, () => request.destroy(new Error(`no heartbeat for ${silenceMs} ms`)));
    response.setEncoding('utf8');
    let rest = '';
    response.on('data', (text: string) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) if (line !== '') this.#take(request, JSON.parse(line) as BackendState);
    });
    response.on('error', () => undefined);
    response.on('end', () => request.destroy());
  }

  /** A backend that drains waits for its streams to end; the next process behind the socket is found by the retries. */
  #take(request: ClientRequest, state: BackendState): void {
    this.#options.onState(state);
    if (state.draining) request.destroy(new Error('the backend is shutting down'));
  }

  #lost(request: ClientRequest, reason: string): void {
    if (request !== this.#request || this.#retry !== undefined || this.#closed) return;
    if (this.#connected) this.#options.onGone(reason);
    this.#connected = false;
    this.#request = undefined;
    this.#retry = setTimeout(() => this.#connect(), this.#retryMs);
    this.#retryMs = Math.min(lastRetryMs, this.#retryMs * 1.5);
  }
}
