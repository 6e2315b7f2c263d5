import { createHash } from 'node:crypto';
import { joinedKey } from '#shared/apimachinery/tuple-map.ts';
import { Counter } from '#shared/observability/metrics/counter.ts';
import type { Family } from '#shared/observability/metrics/family.ts';
import { Histogram } from '#shared/observability/metrics/histogram.ts';

/** What was done with a value. */
export type TransformationType = 'from_storage' | 'to_storage';

interface Use {
  readonly labels: readonly string[];
  count: number;
  seconds: number;
}

const prefix = 'apiserver_envelope_encryption';
/** Key ids come and go: the least recently used are forgotten. */
const maxKeyIds = 100;

/** The families of KMS providers (apiserver's envelope/metrics and storage/value/metrics.go). */
export class EnvelopeMetrics {
  readonly families: readonly Family[];
  readonly #serverHash: string;
  readonly #uses = new Map<string, Use>();
  readonly #statuses = new Map<string, Use>();
  readonly #cacheSizes = new Map<string, number>();
  readonly #arrivals = new Histogram(
    `${prefix}_dek_cache_inter_arrival_time_seconds`,
    '[ALPHA] Time between values that KMS v1 encrypts or decrypts.',
    ['transformation_type'],
    powersOfTwo(60, 10),
  );
  readonly #arrivedAtMs = new Map<TransformationType, number>();
  #fill = 0;
  readonly #calls = new Histogram(
    `${prefix}_kms_operations_latency_seconds`,
    '[ALPHA] Time of calls of KMS plugins by the code of their answer.',
    ['provider_name', 'method_name', 'grpc_status_code'],
    powersOfTwo(0.0001, 20),
  );
  readonly #invalidKeyIds = new Counter(
    `${prefix}_invalid_key_id_from_status_total`,
    '[ALPHA] Invalid key ids in answers of Status.',
    ['provider_name', 'error'],
  );
  readonly #misses = new Counter(
    'apiserver_storage_envelope_transformation_cache_misses_total',
    '[ALPHA] Data keys that a KMS plugin had to decrypt.',
    [],
  );
  readonly #generations = new Histogram(
    'apiserver_storage_data_key_generation_duration_seconds',
    '[ALPHA] Time of making a data key.',
    [],
    powersOfTwo(5e-6, 14),
  );

  /** @param serverId the identity of this server (`kube-apiserver-…`) */
  constructor(serverId: string) {
    this.#serverHash = hashOf(serverId);
    this.families = [
      this.#calls,
      this.#invalidKeyIds,
      this.#misses,
      this.#generations,
      this.#arrivals,
      // Random bytes cannot fail here.
      new Counter(
        'apiserver_storage_data_key_generation_failures_total',
        '[ALPHA] Data keys that could not be made.',
        [],
      ),
      ...useFamilies(this.#uses),
      gauge('max', 'dek_cache_fill_percent', 'How full the caches of data keys of KMS v1 are, from 0 to 1.', [], () => [
        [[], this.#fill],
      ]),
      gauge(
        'max',
        'key_id_hash_status_last_timestamp_seconds',
        'When Status last told a key id.',
        ['provider_name', 'key_id_hash', 'apiserver_id_hash'],
        () => [...this.#statuses.values()].map(({ labels, seconds }) => [labels, seconds]),
      ),
      gauge('sum', 'dek_source_cache_size', 'Data keys that are known decrypted.', ['provider_name'], () =>
        [...this.#cacheSizes].map(([provider, size]) => [[provider], size]),
      ),
    ];
  }

  /** @param keyIdHash by {@link hashOf} */
  keyUsed(type: TransformationType, provider: string, keyIdHash: string): void {
    record(this.#uses, [type, provider, keyIdHash, this.#serverHash]);
  }

  statusTold(provider: string, keyIdHash: string): void {
    record(this.#statuses, [provider, keyIdHash, this.#serverHash]);
  }

  invalidKeyId(provider: string, code: string): void {
    this.#invalidKeyIds.add(provider, code);
  }

  called(provider: string, path: string, code: string, seconds: number): void {
    this.#calls.observe(seconds, provider, path, code);
  }

  cacheMissed(): void {
    this.#misses.add();
  }

  dataKeyMade(seconds: number): void {
    this.#generations.observe(seconds);
  }

  valueArrived(type: TransformationType): void {
    const nowMs = performance.now();
    this.#arrivals.observe((nowMs - (this.#arrivedAtMs.get(type) ?? nowMs)) / 1000, type);
    this.#arrivedAtMs.set(type, nowMs);
  }

  /** @param share of the cache of a provider of v1 */
  cacheFilled(share: number): void {
    this.#fill = share;
  }

  cacheSized(provider: string, size: number): void {
    this.#cacheSizes.set(provider, size);
  }
}

/** How a key id or a server's identity is shown; empty for empty. */
export function hashOf(text: string): string {
  return text === '' ? '' : `sha256:${createHash('sha256').update(text).digest('hex')}`;
}

function record(uses: Map<string, Use>, labels: readonly string[]): void {
  const key = joinedKey(labels);
  const use = uses.get(key) ?? { labels, count: 0, seconds: 0 };
  use.count++;
  use.seconds = Date.now() / 1000;
  // The last place of the order is for the last used one.
  uses.delete(key);
  uses.set(key, use);
  if (uses.size <= maxKeyIds) return;
  for (const oldest of uses.keys()) return void uses.delete(oldest);
}

function useFamilies(uses: ReadonlyMap<string, Use>): Family[] {
  const labelNames = ['transformation_type', 'provider_name', 'key_id_hash', 'apiserver_id_hash'];
  return [
    {
      ...gauge('sum', 'key_id_hash_total', 'Uses of key ids.', labelNames, () =>
        [...uses.values()].map(({ labels, count }) => [labels, count]),
      ),
      type: 'counter',
    },
    gauge('max', 'key_id_hash_last_timestamp_seconds', 'When key ids were last used.', labelNames, () =>
      [...uses.values()].map(({ labels, seconds }) => [labels, seconds]),
    ),
  ];
}

function gauge(
  merged: 'sum' | 'max',
  name: string,
  help: string,
  labelNames: readonly string[],
  read: () => readonly (readonly [readonly string[], number])[],
): Family {
  const full = `${prefix}_${name}`;
  return {
    name: full,
    type: 'gauge',
    merged,
    help: `[ALPHA] ${help}`,
    labelNames,
    samples: () => read().map(([labels, value]) => ({ labels, value })),
  };
}

function powersOfTwo(first: number, count: number): number[] {
  return Array.from({ length: count }, (_, at) => first * 2 ** at);
}
