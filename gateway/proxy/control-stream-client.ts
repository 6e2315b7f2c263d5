import { request as httpRequest } from 'node:http';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { encodeIdentity, ownIdentity } from '#shared/authentication/hop-identity.ts';
import {
  controlStreamPath,
  heartbeatMs,
  withObjects,
  type BackendState,
  type ToldObjects,
} from '#shared/process/control-stream.ts';
import type { Dial } from '#shared/process/link/dial.ts';
import { processActivity, type ProcessActivity, type ProcessMark } from '#shared/process/process-activity.ts';

/** A backend that is silent for this long gets requests only if there is no other. */
const quietMs = 3 * heartbeatMs;
/** After this long a silent backend counts as gone and its requests fail, unless its process uses CPU time. */
const silentMs = 10 * heartbeatMs;
/** A backend that uses CPU time but is silent for this long counts as stuck in a loop. */
const stuckMs = 60 * heartbeatMs;
/**
 * If the gateway's own timer is this late, the gateway itself was stopped, and silence proves nothing about the
 * backend.
 */
const ownDelayMs = heartbeatMs;
const firstRetryMs = 10;
const lastRetryMs = 500;

/** Why the stream ended: the backend is draining, the connection broke, or the backend hangs. */
export type StreamEnd = 'draining' | 'broken' | 'silent';

const gatewayIdentity = ['host', 'localhost', ...encodeIdentity(ownIdentity.user)];

export interface ControlStreamClientOptions {
  readonly dial: Dial;
  /** Returns the activity of a local process; {@link processActivity} by default. */
  readonly activityOf?: (mark: ProcessMark) => ProcessActivity | undefined;
  onState(state: BackendState): void;
  /** Called when the backend tells how many objects there are. Default: it is not asked. */
  readonly onObjects?: ((told: ToldObjects) => void) | undefined;
  /** Called with true when nothing was received for {@link quietMs}, with false when the backend sends again. */
  onQuiet(quiet: boolean): void;
  /** Called when the stream ended; the client reconnects by itself. Not called before the first connection. */
  onGone(parting: StreamEnd): void;
}

/** The gateway's end of the control stream to one backend. Reconnects until it is closed. */
export class ControlStreamClient {
  readonly #options: ControlStreamClientOptions;
  readonly #watchdog: NodeJS.Timeout;
  #request: ClientRequest | undefined;
  #retry: NodeJS.Timeout | undefined;
  #retryMs = firstRetryMs;
  #connected = false;
  #closed = false;
  #quiet = false;
  #heardMs = performance.now();
  #tickMs = performance.now();
  #mark: ProcessMark | undefined;
  /** CPU time of the silent backend when it was last checked. */
  #cpuTicks: number | undefined;

  constructor(options: ControlStreamClientOptions) {
    this.#options = options;
    this.#watchdog = setInterval(() => this.#tick(), heartbeatMs).unref();
    this.#connect();
  }

  /**
   * Disconnects from a draining backend, which then knows that this gateway sends no more requests. Reconnecting finds
   * the next process behind the address.
   */
  leave(): void {
    if (this.#request !== undefined) this.#lost(this.#request, 'draining');
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#retry);
    clearInterval(this.#watchdog);
    this.#request?.destroy();
  }

  #connect(): void {
    this.#retry = undefined;
    this.#heardMs = performance.now();
    const request = httpRequest({
      createConnection: () => this.#options.dial(),
      path: this.#options.onObjects === undefined ? controlStreamPath : `${controlStreamPath}?${withObjects}`,
      setHost: false,
      headers: gatewayIdentity,
    });
    this.#request = request;
    request.on('response', (response) => this.#read(request, response));
    request.on('error', () => this.#lost(request, 'broken'));
    request.on('close', () => this.#lost(request, 'broken'));
    request.end();
  }

  #read(request: ClientRequest, response: IncomingMessage): void {
    if (response.statusCode !== 200) {
      request.destroy(new Error(`the control stream answered ${response.statusCode}`));
      return;
    }
    this.#connected = true;
    this.#retryMs = firstRetryMs;
    response.setEncoding('utf8');
    let rest = '';
    response.on('data', (text: string) => {
      this.#heard();
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) if (line !== '') this.#take(request, JSON.parse(line) as BackendState | ToldObjects);
    });
    response.on('error', () => undefined);
    response.on('end', () => request.destroy());
  }

  #take(request: ClientRequest, state: BackendState | ToldObjects): void {
    if (request !== this.#request) return;
    if (state.type === 'objects') return this.#options.onObjects?.(state);
    this.#mark = state.process;
    this.#options.onState(state);
  }

  #heard(): void {
    this.#heardMs = performance.now();
    this.#cpuTicks = undefined;
    if (!this.#quiet) return;
    this.#quiet = false;
    this.#options.onQuiet(false);
  }

  #tick(): void {
    const now = performance.now();
    const tickDelayed = now - this.#tickMs > heartbeatMs + ownDelayMs;
    this.#tickMs = now;
    if (tickDelayed) this.#heardMs = now;
    if (this.#request === undefined) return;
    const silenceMs = now - this.#heardMs;
    const works = silenceMs >= quietMs && this.#works();
    if (silenceMs > (works ? stuckMs : silentMs)) return this.#lost(this.#request, 'silent');
    if (silenceMs < quietMs || this.#quiet || !this.#connected) return;
    this.#quiet = true;
    this.#options.onQuiet(true);
  }

  /**
   * Whether the process has used CPU time since the last check: a busy process is not gone. A stopped process, or one
   * that waits forever, uses none.
   */
  #works(): boolean {
    const activity = this.#mark === undefined ? undefined : (this.#options.activityOf ?? processActivity)(this.#mark);
    const before = this.#cpuTicks;
    this.#cpuTicks = activity?.cpuTicks;
    return activity !== undefined && !activity.stopped && before !== undefined && activity.cpuTicks > before;
  }

  #lost(request: ClientRequest, parting: StreamEnd): void {
    if (request !== this.#request || this.#closed) return;
    this.#request = undefined;
    request.destroy();
    this.#quiet = false;
    if (this.#connected) this.#options.onGone(parting);
    this.#connected = false;
    this.#retry = setTimeout(() => this.#connect(), this.#retryMs);
    this.#retryMs = Math.min(lastRetryMs, this.#retryMs * 1.5);
  }
}
