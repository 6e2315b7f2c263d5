import { ControlStreamClient } from '../../shared/server/control-stream.ts';
import type { BackendState } from '../../shared/server/control-stream.ts';
import type { Transport } from './transport.ts';
import { HopTransport } from './hop-transport.ts';

/**
 * One backend process: its connections and what it last said of itself on the control stream. States: unknown (never
 * heard of) → usable ⇄ away. What it serves is remembered while it is away.
 */
export class Backend {
  readonly socketPath: string;
  readonly transport: Transport;
  /** Requests without a complete answer. */
  outstanding = 0;
  #state: BackendState | undefined;
  #connected = false;
  readonly #control: ControlStreamClient;

  /** `onChange` after every message and when the backend goes away. */
  constructor(socketPath: string, onChange: (backend: Backend) => void) {
    this.socketPath = socketPath;
    this.transport = new HopTransport(socketPath);
    this.#control = new ControlStreamClient({
      socketPath,
      onState: (state) => {
        this.#state = state;
        this.#connected = true;
        onChange(this);
      },
      onGone: () => {
        this.#connected = false;
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
    return this.#connected && this.#state !== undefined && this.#state.ready && !this.#state.draining;
  }

  close(): void {
    this.#control.close();
    this.transport.close();
  }
}
