import type { HostAnswer, HostCall, HostMethod, HostMethods } from './messages.ts';

type Result<M extends HostMethod> = Awaited<ReturnType<HostMethods[M]>>;

/** A way to a host: a channel of messages, or a connection. */
interface HostWay {
  send(call: HostCall): void;
  /** Keeps this process running, since an answer is awaited. */
  hold(): void;
  /** Lets this process end. */
  rest(): void;
}

/** One host, as its caller sees it: sends calls, and keeps those that wait for their answers. */
export class HostCalls {
  readonly #way: HostWay;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  #calls = 0;
  #ended: (() => Error) | undefined;

  constructor(way: HostWay) {
    this.#way = way;
    way.rest();
  }

  get hasEnded(): boolean {
    return this.#ended !== undefined;
  }

  /** Rejects with the host's own words, or when it has ended. */
  async call<M extends HostMethod>(method: M, ...parameters: Parameters<HostMethods[M]>): Promise<Result<M>> {
    if (this.#ended !== undefined) throw this.#ended();
    const id = ++this.#calls;
    const waiting = Promise.withResolvers<unknown>();
    this.#waiting.set(id, waiting);
    this.#way.hold();
    this.#way.send({ id, method, parameters });
    return (await waiting.promise) as Result<M>;
  }

  settle({ id, result, error }: HostAnswer): void {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return;
    this.#waiting.delete(id);
    if (this.#waiting.size === 0) this.#way.rest();
    if (error === undefined) waiting.resolve(result);
    else waiting.reject(new Error(error));
  }

  /** Rejects what waits, and all later calls. `cause` makes the error when it is needed. */
  end(cause: () => Error): void {
    this.#ended ??= cause;
    for (const waiting of this.#waiting.values()) waiting.reject(this.#ended());
    this.#waiting.clear();
    this.#way.rest();
  }
}
