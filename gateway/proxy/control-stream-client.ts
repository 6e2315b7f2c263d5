import { request as httpRequest } from 'node:http';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { encodeIdentity, ownIdentity } from '../../shared/authentication/hop-identity.ts';
import { controlStreamPath, heartbeatMs, type BackendState } from '../../shared/process/control-stream.ts';
import { processActivity, type ProcessActivity, type ProcessMark } from '../../shared/process/process-activity.ts';
import type { Dial } from '../../shared/process/link/dial.ts';

/** A backend that is silent for this long gets requests only if there is no other. */
const quietMs = 3 * heartbeatMs;
/** And after this it counts as gone, unless it is seen to work: what waits for its answers has waited long enough. */
const silentMs = 10 * heartbeatMs;
/** One that works for so long without a word is stuck in a loop. */
const stuckMs = 60 * heartbeatMs;
/** This process itself stood still when its own clock tick came so late: silence proves nothing then. */
const ownDelayMs = heartbeatMs;
const firstRetryMs = 10;
const lastRetryMs = 500;

/** Why the stream is over: the backend said that it goes, the connection broke, or it hangs. */
export type Parting = 'draining' | 'broken' | 'silent';

const gatewayIdentity = ['host', 'localhost', ...encodeIdentity(ownIdentity.user)];

export interface ControlStreamClientOptions {
  readonly dial: Dial;
  /** What a process of this machine does; {@link processActivity} unless given. */
  readonly activityOf?: (mark: ProcessMark) => ProcessActivity | undefined;
  onState(state: BackendState): void;
  /** True: nothing was heard for {@link quietMs}; false: it speaks again. */
  onQuiet(quiet: boolean): void;
  /** It is opened again inside. Not called before the first connection. */
  onGone(parting: Parting): void;
}

/** The gateway's end: one stream a backend, opened again for as long as the client lives. */
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
   * Tells a backend that drains that nothing more comes from here; the next process behind its address is found by the
   * retries.
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
      path: controlStreamPath,
      setHost: false,
      headers: gatewayIdentity as never,
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
      for (const line of lines) if (line !== '') this.#take(request, JSON.parse(line) as BackendState);
    });
    response.on('error', () => undefined);
    response.on('end', () => request.destroy());
  }

  #take(request: ClientRequest, state: BackendState): void {
    if (request !== this.#request) return;
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
    const late = now - this.#tickMs > heartbeatMs + ownDelayMs;
    this.#tickMs = now;
    if (late) this.#heardMs = now;
    if (this.#request === undefined) return;
    const silenceMs = now - this.#heardMs;
    const works = silenceMs >= quietMs && this.#works();
    if (silenceMs > (works ? stuckMs : silentMs)) return this.#lost(this.#request, 'silent');
    if (silenceMs < quietMs || this.#quiet || !this.#connected) return;
    this.#quiet = true;
    this.#options.onQuiet(true);
  }

  /**
   * Whether the process used the processor since the last look: busy is not gone. One that is stopped, or waits for
   * ever, does not.
   */
  #works(): boolean {
    const activity = this.#mark === undefined ? undefined : (this.#options.activityOf ?? processActivity)(this.#mark);
    const before = this.#cpuTicks;
    this.#cpuTicks = activity?.cpuTicks;
    return activity !== undefined && !activity.stopped && before !== undefined && activity.cpuTicks > before;
  }

  #lost(request: ClientRequest, parting: Parting): void {
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
