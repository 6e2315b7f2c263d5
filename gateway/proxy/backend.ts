import type { Agent } from 'node:http';
import type { BackendState, ToldObjects } from '#shared/process/control-stream.ts';
import type { Dial } from '#shared/process/link/dial.ts';
import { ControlStreamClient, type StreamEnd } from './control-stream-client.ts';
import { DialingAgent } from './dialing-agent.ts';
import { HopTransport } from './hop-transport.ts';
import type { Transport } from './hop/transport.ts';

const firstBanMs = 100;
const longestBanMs = 5_000;
/**
 * How long a process that has just started gets less than its full share of requests, as its code is not compiled yet.
 */
const warmUpMs = 5_000;
const coldWeight = 0.1;

/**
 * One backend process: its connections, and the state that it last reported on the control stream. The state is unknown
 * before the first report, then usable or not. The last report is kept while the backend is disconnected.
 */
export class Backend {
  /** The address in the form of the flags: `unix:///path` or `address:port`. */
  readonly address: string;
  readonly dial: Dial;
  readonly transport: Transport;
  /**
   * Keep-alive HTTP/1.1 connections, for proxy requests to pods, services and nodes, which core handles with a library.
   */
  readonly http1: Agent;
  /** Number of requests without a complete answer. */
  outstanding = 0;
  #state: BackendState | undefined;
  #connected = false;
  #quiet = false;
  /** Number of consecutive connection failures, and the time until which they make the backend doubtful. */
  #failures = 0;
  #bannedUntilMs = 0;
  /** Whether the address was removed from the backends of this gateway. */
  #retired = false;
  #usableSinceMs = 0;
  readonly #control: ControlStreamClient;
  readonly #hop: HopTransport;

  /**
   * `onChange` is called after every report, and when the backend disconnects; `onObjects` when it tells of objects,
   * which it does only where this is set.
   */
  constructor(
    address: string,
    dial: Dial,
    onChange: (backend: Backend) => void,
    onObjects?: (told: ToldObjects) => void,
  ) {
    this.address = address;
    this.dial = dial;
    this.http1 = new DialingAgent(dial);
    this.transport = this.#hop = new HopTransport(dial);
    this.#control = new ControlStreamClient({
      dial,
      onObjects,
      onState: (state) => {
        const before = this.usable;
        this.#state = state;
        this.#connected = true;
        if (!before && this.usable) this.#returned();
        onChange(this);
      },
      onQuiet: (quiet) => (this.#quiet = quiet),
      onGone: (parting) => {
        this.#parted(parting);
        onChange(this);
      },
    });
  }

  /** The last report, also while the backend is disconnected; undefined before the first. */
  get state(): BackendState | undefined {
    return this.#state;
  }

  get connected(): boolean {
    return this.#connected;
  }

  /** Whether the backend is connected, ready and not draining. */
  get usable(): boolean {
    return this.#connected && this.#state !== undefined && this.#state.ready && !this.#state.draining && !this.#retired;
  }

  /** Whether the backend is shutting down; it serves requests until this gateway has disconnected. */
  get draining(): boolean {
    return this.#connected && this.#state?.draining === true && !this.#retired;
  }

  /** Whether other backends are preferred, because this one's reports have stopped or connections to it fail. */
  get doubtful(): boolean {
    return this.#quiet || (this.#failures > 0 && performance.now() < this.#bannedUntilMs);
  }

  /** The backend's share of the load relative to others, from `coldWeight` to 1. */
  get weight(): number {
    if (this.#usableSinceMs === 0) return 1;
    const part = (performance.now() - this.#usableSinceMs) / warmUpMs;
    if (part >= 1) this.#usableSinceMs = 0;
    return Math.min(1, Math.max(coldWeight, part));
  }

  /**
   * Records that a connection could not be made, or broke before a request was sent. Each further failure in a row
   * makes the backend doubtful for longer.
   */
  noteFailure(): void {
    this.#bannedUntilMs = performance.now() + Math.min(longestBanMs, firstBanMs * 2 ** Math.min(this.#failures, 10));
    this.#failures++;
  }

  noteAnswer(): void {
    if (this.#failures > 0) this.#failures = 0;
  }

  /** Disconnects from a draining backend: the gateway sends no more requests, so the backend may exit. */
  leave(): void {
    this.#control.leave();
  }

  /** Removes the backend from use: it gets no new requests, and its connections are closed after the last answer. */
  retire(): void {
    this.#retired = true;
    this.#control.close();
    this.#closeWhenIdle();
  }

  release(): void {
    this.outstanding--;
    if (this.#retired) this.#closeWhenIdle();
  }

  close(): void {
    this.#control.close();
    this.transport.close();
    this.http1.destroy();
  }

  #closeWhenIdle(): void {
    if (this.outstanding > 0) return;
    this.transport.close();
    this.http1.destroy();
  }

  #returned(): void {
    this.#usableSinceMs = performance.now();
    this.#failures = 0;
  }

  #parted(parting: StreamEnd): void {
    this.#connected = false;
    this.#quiet = false;
    // A draining backend finishes its requests. Those of one that hangs fail now instead of waiting for as long as it
    // hangs.
    if (parting !== 'silent') return;
    this.#hop.reset('the backend does not answer');
    this.http1.destroy();
  }
}
