import { setTimeout as sleep } from 'node:timers/promises';
import type { RangeResponse } from '#shared/storage/etcd-wire/kv-messages.ts';
import type { EtcdTransport } from '#shared/storage/etcd-wire/transport.ts';
import type { WatchResponse } from '#shared/storage/etcd-wire/watch-messages.ts';
import { readStored } from './stored-object.ts';
import type { StoredObject } from './stored-object.ts';

/** One change of a key, as the storage tells it. `object` is absent for a deletion. */
export interface LogEvent {
  readonly revision: number;
  readonly key: string;
  readonly object?: StoredObject;
}

const callMs = 3_000;
const retryMs = 100;
const attempts = 20;

/**
 * Everything that happened in the storage since this was started, in order: the truth. It follows a watch past all
 * links and goes on from the last revision after a loss.
 */
export class StoreLog {
  readonly events: LogEvent[] = [];
  /** What the storage itself did wrong, such as telling a revision twice. */
  readonly violations: string[] = [];
  readonly #etcd: EtcdTransport;
  readonly #prefix: string;
  #next = 0;
  #closed = false;

  constructor(etcd: EtcdTransport, prefix = '/registry/') {
    this.#etcd = etcd;
    this.#prefix = prefix;
  }

  /** The last revision that was told. */
  get revision(): number {
    return this.#next - 1;
  }

  /** Begins at the state of now, which is told as puts. */
  async start(): Promise<void> {
    const { header, kvs } = await this.#all({});
    for (const kv of kvs)
      this.events.push({ revision: kv.modRevision, key: kv.key.toString(), object: readStored(kv.value) });
    this.events.sort((a, b) => a.revision - b.revision);
    this.#next = (header?.revision ?? 0) + 1;
    void this.#follow();
  }

  /** Resolves when everything up to the revision of now is here. */
  async catchUp(withinMs: number): Promise<number> {
    const until = performance.now() + withinMs;
    let target: number | undefined;
    while (target === undefined || this.revision < target) {
      if (performance.now() > until)
        throw new Error(
          `the storage did not tell its changes up to ${target ?? 'its revision'} within ${withinMs} ms, only up to ${this.revision}`,
        );
      target ??= await this.#lastChange().catch(() => undefined);
      await sleep(20);
    }
    return target;
  }

  /** Whatever the storage says now must be what it said before: keys and revisions at the newest revision. */
  async compareWithNow(): Promise<string[]> {
    const { header, kvs } = await this.#all({ keysOnly: true });
    const revision = header?.revision ?? 0;
    const reported = new Map<string, number>();
    for (const event of this.events) {
      if (event.revision > revision) break;
      if (event.object === undefined) reported.delete(event.key);
      else reported.set(event.key, event.revision);
    }
    const wrong: string[] = [];
    for (const kv of kvs) {
      const key = kv.key.toString();
      if (reported.get(key) !== kv.modRevision)
        wrong.push(`${key} is stored at ${kv.modRevision}, and was told at ${reported.get(key) ?? 'no revision'}`);
      reported.delete(key);
    }
    for (const [key, at] of reported) wrong.push(`${key} was told at ${at} and is gone at ${revision} without a word`);
    return wrong;
  }

  /** Compacts but for the last `keep` revisions of what is here. Does nothing when the storage is away. */
  async compact(keep: number): Promise<void> {
    if (this.revision - keep > 0)
      await this.#etcd
        .unary('KV/Compact', { revision: this.revision - keep }, { deadlineMs: callMs })
        .catch(() => undefined);
  }

  /** What an operator does when there is room again; until it succeeds. */
  async clearAlarms(): Promise<void> {
    for (;;) {
      if (this.#closed) return;
      try {
        await this.#etcd.unary('Maintenance/Alarm', { action: 'DEACTIVATE', alarm: 'NOSPACE' }, { deadlineMs: callMs });
        return;
      } catch {
        await sleep(retryMs);
      }
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#etcd.close();
  }

  /** On a busy machine members may change their leader in time of peace, too. */
  async #all(options: { readonly keysOnly?: boolean }): Promise<RangeResponse> {
    for (let left = attempts; ; left--) {
      try {
        return await this.#etcd.unary(
          'KV/Range',
          { key: Buffer.from(this.#prefix), rangeEnd: this.#end(), ...options },
          { deadlineMs: callMs },
        );
      } catch (error) {
        if (left === 0) throw error;
        await sleep(retryMs);
      }
    }
  }

  async #lastChange(): Promise<number> {
    const { kvs } = await this.#etcd.unary(
      'KV/Range',
      {
        key: Buffer.from(this.#prefix),
        rangeEnd: this.#end(),
        sortTarget: 'MOD',
        sortOrder: 'DESCEND',
        limit: 1,
        keysOnly: true,
      },
      { deadlineMs: callMs },
    );
    return kvs[0]?.modRevision ?? 0;
  }

  async #follow(): Promise<void> {
    while (!this.#closed) {
      await this.#watch();
      await sleep(retryMs);
    }
  }

  #watch(): Promise<void> {
    return new Promise((resolve) => {
      const stream = this.#etcd.stream('Watch/Watch', {
        onMessage: (message) => {
          if (message.canceled) {
            this.violations.push(
              `the storage ended a watch from ${this.#next}: ${message.cancelReason} (compacted at ${message.compactRevision})`,
            );
            stream.cancel();
            return resolve();
          }
          this.#take(message);
        },
        onEnd: () => resolve(),
      });
      stream.write({
        createRequest: { key: Buffer.from(this.#prefix), rangeEnd: this.#end(), startRevision: this.#next },
      });
    });
  }

  #take(message: WatchResponse): void {
    let last = this.#next - 1;
    for (const { type, kv } of message.events) {
      if (kv === undefined) continue;
      if (kv.modRevision < this.#next)
        this.violations.push(
          `the storage told revision ${kv.modRevision} again (${kv.key.toString()}), after ${this.revision}`,
        );
      this.events.push({
        revision: kv.modRevision,
        key: kv.key.toString(),
        ...(type === 'PUT' ? { object: readStored(kv.value) } : {}),
      });
      last = Math.max(last, kv.modRevision);
    }
    this.#next = last + 1;
  }

  #end(): Buffer {
    return Buffer.from(`${this.#prefix.slice(0, -1)}0`);
  }
}
