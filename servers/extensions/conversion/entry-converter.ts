import { Buffer } from 'node:buffer';
import type { ResourceVersionShape } from '#servers/extensions/facts/resource-version-shape.ts';
import { findMember, type JsonRange } from '#shared/apimachinery/json/json-bytes.ts';
import { isObject, type JsonObject } from '#shared/apimachinery/json/json.ts';
import { asKubeObject, type KubeObject } from '#shared/apimachinery/object.ts';
import { inSlices, nextSlice, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { budgetedCache } from '#shared/caches/budgeted-cache.ts';
import { exactBuffer } from '#shared/registry/stored-form.ts';
import { looseTextInSteps } from '#shared/serializer/json/loose-in-steps.ts';
import { parsePrinted } from '#shared/serializer/json/parse.ts';
import type { CacheEntry } from '#shared/watchcache/watch-cache.ts';
import { ConversionFailure } from './conversion-failure.ts';
import type { Convertible, WebhookConverter } from './webhook-converter.ts';

type ByVersion = Map<string, CacheEntry>;

/** Entries in other versions. Entries are immutable, so a converted one never goes stale. */
const converted = budgetedCache<CacheEntry, ByVersion>('converted', (byVersion, entry) =>
  byVersion.values().reduce((total, { json }) => total + json.length, entry.json.length + 200),
);

/** One review has at most so many objects, and so many bytes of objects unless it has only one. */
const maxObjects = 500;
const maxBytes = 1024 * 1024;
/** So many entries are looked up in one turn of the event loop. */
const maxEntries = 2000;

export interface EntryConverterOptions {
  readonly converter: WebhookConverter;
  readonly kind: string;
  /** The version of entries that name none. */
  readonly storageVersion: string;
  readonly shapeOf: (apiVersion: string) => ResourceVersionShape | undefined;
  /** The values of the selectable fields of an object. */
  readonly fieldsOf: (object: KubeObject) => CacheEntry['fields'];
}

/** An object whose review was given up because another object in it failed. */
class NotTried extends Error {}

/**
 * Converts entries of a watch cache, which hold what lies in storage, to other versions. Requests that want the same
 * object at the same time share its conversion.
 */
export class EntryConverter {
  readonly #options: EntryConverterOptions;
  readonly #running = new WeakMap<CacheEntry, Map<string, Promise<CacheEntry>>>();

  constructor(options: EntryConverterOptions) {
    this.#options = options;
  }

  /**
   * The entries in a version, in order; the same array where all are of that version already. `fresh` uses no earlier
   * conversion.
   * @throws ConversionFailure of the first object that cannot be converted
   */
  convert(
    entries: readonly CacheEntry[],
    apiVersion: string,
    fresh: boolean,
  ): readonly CacheEntry[] | Promise<readonly CacheEntry[]> {
    if (fresh) for (const entry of entries) converted.get(entry)?.delete(apiVersion);
    if (entries.every((entry) => this.versionOf(entry) === apiVersion)) return entries;
    return this.#convertInTurn(entries, apiVersion);
  }

  versionOf({ apiVersion = this.#options.storageVersion }: CacheEntry): string {
    return apiVersion;
  }

  async #convertInTurn(entries: readonly CacheEntry[], apiVersion: string): Promise<CacheEntry[]> {
    const out: CacheEntry[] = [];
    for (let start = 0; start < entries.length;) {
      const end = this.#endOfBatch(entries, start, apiVersion);
      const batch = entries.slice(start, end);
      this.#begin(batch, apiVersion);
      for (const entry of batch) out.push(this.#known(entry, apiVersion) ?? (await this.#settled(entry, apiVersion)));
      start = end;
      if (start < entries.length) await nextSlice();
    }
    return out;
  }

  /** A batch ends when enough objects in it need a review. */
  #endOfBatch(entries: readonly CacheEntry[], start: number, apiVersion: string): number {
    let [objects, bytes] = [0, 0];
    const last = Math.min(entries.length, start + maxEntries);
    for (let at = start; at < last; at++) {
      const entry = entries[at] as CacheEntry;
      if (this.#known(entry, apiVersion) !== undefined || this.#running.get(entry)?.has(apiVersion) === true) continue;
      bytes += entry.json.length;
      if (objects > 0 && (objects >= maxObjects || bytes > maxBytes)) return at;
      objects++;
    }
    return last;
  }

  #known(entry: CacheEntry, apiVersion: string): CacheEntry | undefined {
    return this.versionOf(entry) === apiVersion ? entry : converted.get(entry)?.get(apiVersion);
  }

  async #settled(entry: CacheEntry, apiVersion: string): Promise<CacheEntry> {
    for (;;) {
      const known = this.#known(entry, apiVersion);
      if (known !== undefined) return known;
      try {
        const running = this.#running.get(entry)?.get(apiVersion);
        if (running !== undefined) return await running;
      } catch (error) {
        if (!(error instanceof NotTried)) throw error;
      }
      this.#begin([entry], apiVersion);
    }
  }

  /** Starts one review of those entries that are neither converted nor being converted. */
  #begin(entries: readonly CacheEntry[], apiVersion: string): void {
    const jobs: Job[] = [];
    for (const entry of entries) {
      const running = this.#running.get(entry) ?? new Map<string, Promise<CacheEntry>>();
      if (this.#known(entry, apiVersion) !== undefined || running.has(apiVersion)) continue;
      const { promise, resolve, reject } = Promise.withResolvers<CacheEntry>();
      // Whoever waits for it gets the error.
      promise.catch(() => undefined);
      this.#running.set(entry, running.set(apiVersion, promise));
      const end = (): void => void running.delete(apiVersion);
      jobs.push({
        entry,
        resolve(made) {
          end();
          remember(entry, apiVersion, made);
          resolve(made);
        },
        reject(error) {
          end();
          reject(error);
        },
      });
    }
    if (jobs.length > 0) void this.#run(jobs, apiVersion);
  }

  /**
   * Converts by one review. Where the webhook answers but the answer is wrong, each object is converted by a review of
   * its own, as all are in the reference: one object that cannot be converted does not spoil the others, and the errors
   * are the reference's.
   */
  async #run(jobs: readonly Job[], apiVersion: string): Promise<void> {
    try {
      const made = await this.#review(jobs, apiVersion);
      for (const [index, job] of jobs.entries()) job.resolve(made[index] as CacheEntry);
    } catch (error) {
      if (jobs.length > 1 && error instanceof ConversionFailure && error.kind !== 'call')
        return this.#runAlone(jobs, apiVersion);
      for (const job of jobs) job.reject(error);
    }
  }

  async #runAlone(jobs: readonly Job[], apiVersion: string): Promise<void> {
    let failed = false;
    for (const job of jobs) {
      if (failed) {
        job.reject(new NotTried());
        continue;
      }
      try {
        const [made] = await this.#review([job], apiVersion);
        job.resolve(made as CacheEntry);
      } catch (error) {
        failed = true;
        job.reject(error);
      }
    }
  }

  async #review(jobs: readonly Job[], apiVersion: string): Promise<CacheEntry[]> {
    const objects = await inSlices(this.#convertibles(jobs));
    const results = await this.#options.converter.convert(objects, apiVersion);
    return inSlices(this.#entries(jobs, results, apiVersion));
  }

  *#convertibles(jobs: readonly Job[]): Steps<Convertible[]> {
    const objects: Convertible[] = [];
    for (const { entry } of jobs) {
      const json = withoutVersion(entry.json);
      const metadata = yield* parsePrinted(metadataText(json));
      objects.push({
        json,
        apiVersion: this.versionOf(entry),
        kind: this.#options.kind,
        metadata: isObject(metadata) ? metadata : {},
      });
      yield;
    }
    return objects;
  }

  *#entries(jobs: readonly Job[], results: readonly JsonObject[], apiVersion: string): Steps<CacheEntry[]> {
    const entries: CacheEntry[] = [];
    for (const [index, { entry }] of jobs.entries()) {
      entries.push(yield* this.#entryOf(entry, results[index] as JsonObject, apiVersion));
      yield;
    }
    return entries;
  }

  /** As in the reference, a converted object is pruned, and gets no defaults. */
  *#entryOf(entry: CacheEntry, result: JsonObject, apiVersion: string): Steps<CacheEntry> {
    yield* conformed(result, this.#options.shapeOf(apiVersion));
    const object = asKubeObject(result);
    if (entry.revision !== 0) object.metadata.resourceVersion = String(entry.revision);
    const text = yield* looseTextInSteps(object);
    return {
      key: entry.key,
      namespace: entry.namespace,
      name: entry.name,
      revision: entry.revision,
      json: exactBuffer(text),
      labels: object.metadata.labels,
      fields: this.#options.fieldsOf(object),
      apiVersion,
    };
  }
}

interface Job {
  readonly entry: CacheEntry;
  resolve(made: CacheEntry): void;
  reject(error: unknown): void;
}

function remember(entry: CacheEntry, apiVersion: string, made: CacheEntry): void {
  const byVersion = converted.get(entry) ?? new Map<string, CacheEntry>();
  byVersion.set(apiVersion, made);
  converted.delete(entry);
  converted.set(entry, byVersion);
}

/** Prunes a converted object by the schema of its version. @throws ConversionFailure for one that does not fit */
export function* conformed(object: JsonObject, shape: ResourceVersionShape | undefined): Steps<void> {
  try {
    yield* shape?.schema.custom?.conform(object) ?? [];
  } catch (error) {
    throw new ConversionFailure('object', error instanceof Error ? error.message : String(error));
  }
}

const metadataKey = Buffer.from('"metadata"');
const versionKey = Buffer.from('"resourceVersion"');

function metadataText(json: Buffer): string {
  const range = findMember(json, 0, metadataKey);
  return range === undefined ? '{}' : json.toString('utf8', range.start, range.end);
}

/** The JSON of an object without `metadata.resourceVersion`, which no object has in storage. */
function withoutVersion(json: Buffer): Buffer {
  const metadata = findMember(json, 0, metadataKey);
  const value = metadata === undefined ? undefined : findMember(json, metadata.start, versionKey);
  if (value === undefined) return json;
  const { start, end } = memberRange(json, value);
  return Buffer.concat([json.subarray(0, start), json.subarray(end)]);
}

/** The member of a value, with the comma on one side. */
function memberRange(json: Buffer, value: JsonRange): JsonRange {
  const start = value.start - versionKey.length - 1;
  if (json[value.end] === 0x2c) return { start, end: value.end + 1 };
  return { start: json[start - 1] === 0x2c ? start - 1 : start, end: value.end };
}
