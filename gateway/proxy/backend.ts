import type { Agent } from 'node:http';
import type { BackendState } from '../../shared/process/control-stream.ts';
import type { Dial } from '../../shared/process/link/dial.ts';
import { ControlStreamClient, type Parting } from './control-stream-client.ts';
import { DialingAgent } from './dialing-agent.ts';
import { HopTransport } from './hop-transport.ts';
import type { Transport } from './hop/transport.ts';

const firstBanMs = 100;
const longestBanMs = 5_000;
/** A process that has just come takes its full part only after so long: its code is cold. */
const warmUpMs = 5_000;
const coldWeight = 0.1;

/**
 * One backend process: its connections and what it last said of itself on the control stream. States: unknown (never
 * heard of) → usable ⇄ away. What it serves is remembered while it is away.
 */
export class Backend {
  /** As in the flags: `unix:///path` or `address:port`. */
  readonly address: string;
  readonly dial: Dial;
  readonly transport: Transport;
  /** Connections for HTTP/1.1, kept for a while: what a library in core serves does not go in frames. */
  readonly http1: Agent;
  /** Requests without a complete answer. */
  outstanding = 0;
  #state: BackendState | undefined;
  #connected = false;
  #quiet = false;
  /** Connections that failed in a row, and until when the next one waits. */
  #failures = 0;
  #bannedUntilMs = 0;
  /** The address is no longer among those that are wanted. */
  #retired = false;
  #usableSinceMs = 0;
  readonly #control: ControlStreamClient;
  readonly #hop: HopTransport;

  /** `onChange` after every message and when the backend goes away. */
  constructor(address: string, dial: Dial, onChange: (backend: Backend) => void) {
    this.address = address;
    this.dial = dial;
    this.http1 = new DialingAgent(dial);
    this.transport = this.#hop = new HopTransport(dial);
    this.#control = new ControlStreamClient({
      dial,
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

  /** What it said last, also while it is away; undefined before its first word. */
  get state(): BackendState | undefined {
    return this.#state;
  }

  get connected(): boolean {
    return this.#connected;
  }

  /** Connected, ready and not about to end. */
  get usable(): boolean {
    return this.#connected && this.#state !== undefined && this.#state.ready && !this.#state.draining && !this.#retired;
  }

  /** About to end, but it serves until this gateway leaves it. */
  get draining(): boolean {
    return this.#connected && this.#state?.draining === true && !this.#retired;
  }

  /** Usable, but others are better: it has gone quiet, or connections to it fail. */
  get doubtful(): boolean {
    return this.#quiet || (this.#failures > 0 && performance.now() < this.#bannedUntilMs);
  }

  /** Part of the load that it takes, from `coldWeight` to 1. */
  get weight(): number {
    if (this.#usableSinceMs === 0) return 1;
    const part = (performance.now() - this.#usableSinceMs) / warmUpMs;
    if (part >= 1) this.#usableSinceMs = 0;
    return Math.min(1, Math.max(coldWeight, part));
  }

  /**
   * A connection could not be made, or broke before it took anything. Those that follow one another count more and
   * more.
   */
  noteFailure(): void {
    this.#bannedUntilMs = performance.now() + Math.min(longestBanMs, firstBanMs * 2 ** Math.min(this.#failures, 10));
    this.#failures++;
  }

  noteAnswer(): void {
    if (this.#failures > 0) this.#failures = 0;
  }

  /** Gives a draining one leave to end. */
  leave(): void {
    this.#control.leave();
  }

  /** No new requests; closed when the last one is through. */
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

  #parted(parting: Parting): void {
    this.#connected = false;
    this.#quiet = false;
    // One that drains finishes what it has; one that hangs would keep its callers waiting for as long as it does.
    if (parting !== 'silent') return;
    this.#hop.reset('the backend does not answer');
    this.http1.destroy();
  }
}
