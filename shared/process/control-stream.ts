import type { ResponseStream } from '#shared/request/exchange.ts';
import type { Handler } from '#shared/request/request-context.ts';
import type { ProcessMark } from './process-activity.ts';

/** The path of the control stream, served on the internal listener of a backend only. */
export const controlStreamPath = '/.quarterdeck/control';

/** One group version that a backend serves. Priorities are those of its APIService. */
export interface ServedGroupVersion {
  readonly group: string;
  readonly version: string;
  readonly groupPriority: number;
  readonly versionPriority: number;
  /**
   * Comes from a CustomResourceDefinition: the APIService is removed with the definition, and is created again if a
   * user deletes it.
   */
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

/** The state that a backend sends to its gateways; each message replaces the one before. */
export interface BackendState {
  readonly type: 'state';
  /** The name of the backend: `core`, `extensions`. */
  readonly server: string;
  /** Whether the backend accepts requests. */
  readonly ready: boolean;
  /** The backend shuts down: gateways must send no new requests. */
  readonly draining: boolean;
  readonly groupVersions: readonly ServedGroupVersion[];
  readonly checks: readonly BackendCheck[];
  /** The process behind the stream, for a gateway on the same machine. */
  readonly process?: ProcessMark;
  /** Grows when discovery may have changed beyond the list of group versions: gateways read it again then. */
  readonly generation?: number;
}

/** The objects of the resources that a backend stores, for the flow control of gateways that ask for it. */
export interface ToldObjects {
  readonly type: 'objects';
  /** In storage; the bytes are 0 where nobody knows them. */
  readonly objects: readonly (readonly [group: string, resource: string, count: number, averageBytes: number])[];
}

/** The query of a gateway that wants to be told of objects. */
export const withObjects = 'objects';

/** How often a blank line is sent as a heartbeat, by which gateways detect a backend that hangs. */
export const heartbeatMs = 1_000;

/** The backend's end of the control stream: keeps the state and sends it to every connected gateway. */
export class ControlStreamSource {
  #line: string;
  #state: BackendState;
  readonly #streams = new Set<ResponseStream>();
  readonly #askedForObjects = new Set<ResponseStream>();
  #objectsLine = '';
  readonly #whenLeft: (() => void)[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(state: BackendState) {
    this.#state = state;
    this.#line = `${JSON.stringify(state)}\n`;
  }

  get state(): BackendState {
    return this.#state;
  }

  /** Sends the new state to the gateways if it differs from the last. */
  update(changes: Partial<Omit<BackendState, 'type'>>): void {
    this.#state = { ...this.#state, ...changes };
    const line = `${JSON.stringify(this.#state)}\n`;
    if (line === this.#line) return;
    this.#line = line;
    for (const stream of this.#streams) stream.write(line);
  }

  /** Sends the counts to the gateways that asked for them, and to those that come. */
  tellObjects(objects: ToldObjects['objects']): void {
    const told: ToldObjects = { type: 'objects', objects };
    this.#objectsLine = `${JSON.stringify(told)}\n`;
    for (const stream of this.#askedForObjects) stream.write(this.#objectsLine);
  }

  /** Serves {@link controlStreamPath}. Answers 404 on a public listener. */
  readonly handler: Handler = ({ exchange }) => {
    if (exchange.trust !== 'internal') {
      exchange.send(404, { 'content-type': 'text/plain; charset=utf-8' }, '404 page not found\n');
      return;
    }
    const stream = exchange.stream(200, { 'content-type': 'application/x-ndjson' });
    this.#streams.add(stream);
    exchange.onClose(() => {
      this.#streams.delete(stream);
      this.#askedForObjects.delete(stream);
      if (this.#streams.size === 0) for (const left of this.#whenLeft.splice(0)) left();
    });
    stream.write(this.#line);
    if (exchange.query === withObjects) {
      this.#askedForObjects.add(stream);
      if (this.#objectsLine !== '') stream.write(this.#objectsLine);
    }
    this.#timer ??= setInterval(() => this.#beat(), heartbeatMs).unref();
  };

  /**
   * Resolves when no gateway is connected (a gateway disconnects once it has received `draining`), or after `atMostMs`.
   */
  untilAlone(atMostMs: number): Promise<void> {
    if (this.#streams.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, atMostMs);
      this.#whenLeft.push(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  /** Ends all streams, so that the listener can close. */
  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    for (const stream of this.#streams) stream.end();
    this.#streams.clear();
    this.#askedForObjects.clear();
  }

  #beat(): void {
    for (const stream of this.#streams) stream.write('\n');
  }
}
