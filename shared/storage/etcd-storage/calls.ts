import { setTimeout as sleep } from 'node:timers/promises';
import { runInSpan } from '#shared/spans/active-span.ts';
import type { UnaryCalls, UnaryMethod } from '#shared/storage/etcd-wire/methods.ts';
import { EtcdRpcError, grpcCode } from '#shared/storage/etcd-wire/transport.ts';
import type { EtcdTransport } from '#shared/storage/etcd-wire/transport.ts';
import { compactRevisionKey } from './compaction-loop.ts';
import { etcdSpan, endWith } from './etcd-span.ts';

/** A read that takes longer is repeated, at another member if there is one: this member may hang. */
const readAttemptMs = 4_000;
const firstPauseMs = 20;
const longestPauseMs = 500;

/** Calls to etcd, each with a deadline. In a short outage a call is repeated if it cannot take effect twice. */
export class EtcdCalls {
  readonly transport: EtcdTransport;
  readonly #deadlineMs: number;
  /** Whether a call has failed by an outage, and no check has succeeded since. */
  #inDoubt = false;
  #check: Promise<void> | undefined;

  constructor(transport: EtcdTransport, deadlineMs: number) {
    this.transport = transport;
    this.#deadlineMs = deadlineMs;
  }

  /** A call without effect: sent again while etcd is unavailable, until the deadline. */
  read<M extends UnaryMethod>(method: M, request: UnaryCalls[M]['request']): Promise<UnaryCalls[M]['response']> {
    return this.#call(method, request, () => true, readAttemptMs);
  }

  /** A read for several requests, each of which has a span of its own for it: none is made here. */
  sharedRead<M extends UnaryMethod>(method: M, request: UnaryCalls[M]['request']): Promise<UnaryCalls[M]['response']> {
    return this.#send(method, request, () => true, readAttemptMs);
  }

  /** A call with effect: sent again only when it is certain that etcd never received it. */
  write<M extends UnaryMethod>(method: M, request: UnaryCalls[M]['request']): Promise<UnaryCalls[M]['response']> {
    const send = (): Promise<UnaryCalls[M]['response']> =>
      this.#call(method, request, (error) => error.notSent, this.#deadlineMs);
    return this.#inDoubt ? this.#passesCheck().then(send) : send();
  }

  /**
   * Checks that etcd has a leader before a write. A member whose leader has just died loses writes until the next
   * election, and reports that after 7 s. A linearizable read waits for the leader, and can be repeated.
   */
  #passesCheck(): Promise<void> {
    this.#check ??= this.read('KV/Range', { key: compactRevisionKey, countOnly: true })
      .then(
        () => {
          this.#inDoubt = false;
        },
        (error: unknown) => {
          throw error instanceof EtcdRpcError
            ? new EtcdRpcError(error.code, error.message, { cause: error, notSent: true })
            : error;
        },
      )
      .finally(() => {
        this.#check = undefined;
      });
    return this.#check;
  }

  #call<M extends UnaryMethod>(
    method: M,
    request: UnaryCalls[M]['request'],
    mayRepeat: (error: EtcdRpcError) => boolean,
    attemptMs: number,
  ): Promise<UnaryCalls[M]['response']> {
    const span = etcdSpan(method);
    if (span === undefined) return this.#send(method, request, mayRepeat, attemptMs);
    // Within the span, so that etcd is told of it.
    return endWith(
      span,
      runInSpan(span, () => this.#send(method, request, mayRepeat, attemptMs)),
    );
  }

  #send<M extends UnaryMethod>(
    method: M,
    request: UnaryCalls[M]['request'],
    mayRepeat: (error: EtcdRpcError) => boolean,
    attemptMs: number,
  ): Promise<UnaryCalls[M]['response']> {
    const deadlineMs = Math.min(attemptMs, this.#deadlineMs);
    const end = performance.now() + this.#deadlineMs;
    return this.transport.unary(method, request, { deadlineMs }).catch((error: unknown) => {
      if (!isOutage(error)) throw error;
      this.#inDoubt = true;
      if (!mayRepeat(error)) throw error;
      return this.#repeat(method, request, { mayRepeat, attemptMs, end }, error);
    });
  }

  async #repeat<M extends UnaryMethod>(
    method: M,
    request: UnaryCalls[M]['request'],
    { mayRepeat, attemptMs, end }: { mayRepeat: (error: EtcdRpcError) => boolean; attemptMs: number; end: number },
    first: EtcdRpcError,
  ): Promise<UnaryCalls[M]['response']> {
    let last = first;
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      const leftMs = end - performance.now() - pauseMs;
      if (leftMs <= 0) throw last;
      await sleep(pauseMs);
      try {
        return await this.transport.unary(method, request, { deadlineMs: Math.min(leftMs, attemptMs) });
      } catch (error) {
        if (!isOutage(error) || !mayRepeat(error)) throw error;
        last = error;
      }
    }
  }
}

function isOutage(error: unknown): error is EtcdRpcError {
  return (
    error instanceof EtcdRpcError && (error.code === grpcCode.unavailable || error.code === grpcCode.deadlineExceeded)
  );
}
