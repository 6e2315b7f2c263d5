import type { EtcdRpcError } from '#shared/storage/etcd-wire/transport.ts';
import type { EtcdStream, StreamHandlers } from '#shared/storage/etcd-wire/transport.ts';
import { toRpcError } from './rpc-error.ts';

/** The part of grpc-js' duplex call that is used. */
interface DuplexCall<Request, Response> {
  write(message: Request): unknown;
  end(): unknown;
  cancel(): void;
  on(event: 'data', listener: (message: Response) => void): unknown;
  on(event: 'end', listener: () => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
}

/** A stream that accepts messages before its call exists (while etcd3 is still being loaded). */
export class Etcd3Stream<Request, Response> implements EtcdStream<Request> {
  readonly #handlers: StreamHandlers<Response>;
  #early: Request[] = [];
  #endAsked = false;
  #call: DuplexCall<Request, Response> | undefined;
  #over = false;

  constructor(handlers: StreamHandlers<Response>) {
    this.#handlers = handlers;
  }

  attach(call: DuplexCall<Request, Response>, onFailure: (error: EtcdRpcError) => void): void {
    // After a cancel grpc-js still emits an error, which would be unhandled without this listener.
    call.on('error', (error) => {
      const failure = toRpcError(error);
      onFailure(failure);
      this.#finish(failure);
    });
    if (this.#over) return call.cancel();
    this.#call = call;
    call.on('data', (message) => {
      if (!this.#over) this.#handlers.onMessage(message);
    });
    // grpc-js emits 'end' before the 'error' of a failed call: wait for the error.
    call.on('end', () => setImmediate(() => this.#finish(undefined)));
    for (const message of this.#early) call.write(message);
    this.#early = [];
    if (this.#endAsked) call.end();
  }

  write(message: Request): void {
    if (this.#over || this.#endAsked) return;
    if (this.#call === undefined) this.#early.push(message);
    else this.#call.write(message);
  }

  end(): void {
    this.#endAsked = true;
    this.#call?.end();
  }

  cancel(): void {
    this.#over = true;
    this.#call?.cancel();
  }

  fail(error: EtcdRpcError): void {
    const call = this.#call;
    this.#finish(error);
    call?.cancel();
  }

  #finish(error: EtcdRpcError | undefined): void {
    if (this.#over) return;
    this.#over = true;
    this.#handlers.onEnd(error);
  }
}
