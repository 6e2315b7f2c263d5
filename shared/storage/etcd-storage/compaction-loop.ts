import { Buffer } from 'node:buffer';
import type { EtcdTransport } from '#shared/storage/etcd-wire/transport.ts';

/** The key is outside the cluster's prefix: every API server on this etcd shares it, the reference's included. */
export const compactRevisionKey = Buffer.from('compact_rev_key');

const callMs = 10_000;

/**
 * Compacts, in each interval, up to the revision that was the newest one interval ago. Servers agree by a
 * compare-and-set on the version of `compact_rev_key`: the one that wins compacts, the others read the new version and
 * try again after their interval. So history is kept for one to two intervals (apiserver/pkg/storage/etcd3/compact.go).
 */
export class CompactionLoop {
  readonly #transport: EtcdTransport;
  readonly #timer: NodeJS.Timeout;
  /** The last known version of the key: the logical time of compactions. */
  #version = 0;
  /** Newest revision at the last round. */
  #revision = 0;

  constructor(transport: EtcdTransport, intervalMs: number) {
    this.#transport = transport;
    // A failed round is tried again after the next interval.
    this.#timer = setInterval(() => void this.round().catch(() => undefined), intervalMs);
    this.#timer.unref();
  }

  /** Runs one round. Resolves with the compacted revision; 0 if another server compacted or nothing was due. */
  async round(): Promise<number> {
    const response = await this.#transport.unary(
      'KV/Txn',
      {
        compare: [{ target: 'VERSION', result: 'EQUAL', key: compactRevisionKey, version: this.#version }],
        success: [{ requestPut: { key: compactRevisionKey, value: Buffer.from(String(this.#revision)) } }],
        failure: [{ requestRange: { key: compactRevisionKey } }],
      },
      { deadlineMs: callMs },
    );
    const due = this.#revision;
    this.#revision = response.header?.revision ?? this.#revision;
    if (!response.succeeded) {
      this.#version = response.responses[0]?.responseRange?.kvs[0]?.version ?? 0;
      return 0;
    }
    this.#version += 1;
    if (due === 0) return 0;
    await this.#transport.unary('KV/Compact', { revision: due }, { deadlineMs: callMs });
    return due;
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
