import type { Status } from '#shared/apimachinery/errors/status.ts';
import { asKubeObject, type KubeObject } from '#shared/apimachinery/object.ts';
import { processCaches } from '#shared/caches/cache-budget.ts';
import { metadataBytes, metaGroup, metaSchema, partialMetadata } from '#shared/endpoints/forms/metadata-form.ts';
import { entryBytes, objectBytes } from '#shared/endpoints/forms/object-forms.ts';
import { tableBody, tableOfObject, type TableOptions } from '#shared/endpoints/forms/table-form.ts';
import { isStoredForm, type RequestScope } from '#shared/endpoints/request/request-scope.ts';
import { protobufType, type MediaType, type ResponseTransform } from '#shared/serializer/negotiate.ts';
import { JoinedBytes } from '#shared/serializer/protobuf/joined-bytes.ts';
import { WatchFrames } from '#shared/serializer/protobuf/watch-frames.ts';
import { watchFrame, type WatchEventType } from '#shared/serializer/watch-frame.ts';
import type { CacheEntry, CacheEvent } from '#shared/watchcache/watch-cache.ts';
import { RecentFrames } from './recent-frames.ts';

const frames = new RecentFrames();
processCaches.register('watch_frames', () => frames.bytes);

/** A frame of this size or more is not joined, and all watches that still have to send it share its bytes. */
const largeFrameBytes = 16 * 1024;
/** Small frames are joined up to this size. */
const joinedBytes = 32 * 1024;
const joined = new JoinedBytes(2 * joinedBytes);
const largeFrames = new WeakMap<CacheEntry, Map<string, WeakRef<Buffer>>>();

/** Joined frames of events that are delivered together: all watchers of one selection get the same array. */
const batches = new WeakMap<readonly CacheEvent[], Map<string, readonly Buffer[]>>();

/** Encodes the events of one watch. */
export class WatchEncoding {
  readonly #scope: RequestScope;
  readonly #mediaType: MediaType;
  readonly #transform: ResponseTransform | undefined;
  readonly #tableOptions: TableOptions;
  readonly #formId: string;
  /** Whether a Table with the column definitions was sent: only the first one of a stream has them. */
  #sentColumns = false;

  constructor(
    scope: RequestScope,
    mediaType: MediaType,
    transform: ResponseTransform | undefined,
    tableOptions: TableOptions,
  ) {
    this.#scope = scope;
    this.#mediaType = mediaType;
    this.#transform = transform;
    this.#tableOptions = tableOptions;
    this.#formId = `${mediaType} ${scope.formId} ${transform === undefined ? '' : `${transform.kind} ${transform.version} ${tableOptions.includeObject}`}`;
  }

  /** The frames of events for this watch alone, small ones joined; they are not cached. */
  frames(events: readonly CacheEvent[]): readonly Buffer[] {
    if (this.#mediaType === protobufType && this.#transform === undefined && isStoredForm(this.#scope))
      return this.#protobufFrames(events);
    return joinSmall(
      events.map(({ type, entry }) => {
        const noHeaders = this.#sentColumns;
        this.#sentColumns = true;
        return this.#shared(type, entry, noHeaders);
      }),
    );
  }

  /** As {@link frames}, for objects whose JSON is stored: small frames are written into the joined bytes. */
  #protobufFrames(events: readonly CacheEvent[]): readonly Buffer[] {
    const writer = new WatchFrames(this.#scope.schema, this.#scope.kind);
    const pieces: Buffer[] = [];
    joined.clear();
    for (const { type, entry } of events) {
      const isSmall = entry.json.length < largeFrameBytes && entry.unprinted === undefined;
      if (joined.at > 0 && (!isSmall || joined.at + entry.json.length > joinedBytes)) pieces.push(joined.take());
      if (isSmall) writer.append(type, entry.json, joined);
      else pieces.push(this.#shared(type, entry, true));
    }
    if (joined.at > 0) pieces.push(joined.take());
    return pieces;
  }

  /** The frames of events, small ones joined. They are cached for other watches. */
  batch(events: readonly CacheEvent[]): readonly Buffer[] {
    if (this.#transform?.kind === 'Table' && !this.#sentColumns)
      return joinSmall(events.map((event) => this.#frameOf(event)));
    let byForm = batches.get(events);
    if (byForm === undefined) batches.set(events, (byForm = new Map()));
    let joined = byForm.get(this.#formId);
    if (joined === undefined)
      byForm.set(this.#formId, (joined = joinSmall(events.map((event) => this.#frameOf(event)))));
    return joined;
  }

  /** Watches share the frame of a large object, so that clients that read nothing do not each hold a copy in memory. */
  #shared(type: WatchEventType, entry: CacheEntry, noHeaders: boolean): Buffer {
    if (entry.json.length < largeFrameBytes) return this.#frame(type, this.#objectOf(entry, noHeaders));
    const form = `${type} ${noHeaders} ${this.#formId}`;
    const byForm = largeFrames.get(entry) ?? new Map<string, WeakRef<Buffer>>();
    largeFrames.set(entry, byForm);
    let frame = byForm.get(form)?.deref();
    if (frame === undefined)
      byForm.set(form, new WeakRef((frame = this.#frame(type, this.#objectOf(entry, noHeaders)))));
    return frame;
  }

  #frameOf(event: CacheEvent): Buffer {
    if (this.#transform?.kind === 'Table' && !this.#sentColumns) {
      this.#sentColumns = true;
      return this.#frame(event.type, this.#tableOf(event.entry, false));
    }
    return frames.frameOf(event, this.#formId, () => this.#shared(event.type, event.entry, true));
  }

  #frame(type: WatchEventType, object: Buffer): Buffer {
    return watchFrame(this.#mediaType, type, object);
  }

  #objectOf(entry: CacheEntry, noHeaders: boolean): Buffer {
    const transform = this.#transform;
    if (transform === undefined) return entryBytes(this.#scope, entry, this.#mediaType);
    return transform.kind === 'Table'
      ? this.#tableOf(entry, noHeaders)
      : metadataBytes(this.#scope.env.facts, transform.version, entry, this.#mediaType);
  }

  #tableOf(entry: CacheEntry, noHeaders: boolean): Buffer {
    const version = this.#transform?.version ?? 'v1';
    return Buffer.concat(
      tableBody(this.#scope, [entry], { resourceVersion: String(entry.revision) }, version, {
        ...this.#tableOptions,
        noHeaders,
      }),
    );
  }

  /** A bookmark with a revision; with `initialEventsEnd` it also marks the end of the initial events (KEP-3157). */
  bookmark(revision: number, initialEventsEnd: boolean): Buffer {
    const object = asKubeObject({
      kind: this.#scope.kind.kind,
      apiVersion: this.#scope.apiVersion,
      metadata: {
        resourceVersion: String(revision),
        ...(initialEventsEnd ? { annotations: { 'k8s.io/initial-events-end': 'true' } } : {}),
      },
    });
    return this.#frame('BOOKMARK', this.#bookmarkObject(object));
  }

  #bookmarkObject(object: KubeObject): Buffer {
    const transform = this.#transform;
    const scope = this.#scope;
    if (transform === undefined) return objectBytes(scope.schema, scope.kind, object, this.#mediaType);
    if (transform.kind === 'Table') {
      const noHeaders = this.#sentColumns;
      this.#sentColumns = true;
      return Buffer.concat(tableOfObject(scope, object, transform.version, { ...this.#tableOptions, noHeaders }));
    }
    const partial = partialMetadata(transform.version, object.metadata);
    const schema = metaSchema(this.#scope.env.facts, transform.version, 'PartialObjectMetadata');
    const kind = { group: metaGroup, version: transform.version, kind: 'PartialObjectMetadata' };
    return objectBytes(schema, kind, partial, this.#mediaType);
  }

  /** The last event of a watch that cannot continue. */
  errorFrame(status: Status): Buffer {
    const schema = this.#scope.env.facts.schema('', 'v1', 'Status');
    if (schema === undefined) throw new Error('no schema of Status');
    return this.#frame(
      'ERROR',
      objectBytes(schema, { group: '', version: 'v1', kind: 'Status' }, { ...status }, this.#mediaType),
    );
  }
}

function joinSmall(frames: readonly Buffer[]): readonly Buffer[] {
  if (frames.length === 1) return frames;
  const pieces: Buffer[] = [];
  let small: Buffer[] = [];
  let bytes = 0;
  const join = (): void => {
    if (small.length > 0) pieces.push(small.length === 1 ? (small[0] as Buffer) : Buffer.concat(small, bytes));
    small = [];
    bytes = 0;
  };
  for (const frame of frames) {
    if (bytes + frame.length > joinedBytes) join();
    if (frame.length >= largeFrameBytes) {
      join();
      pieces.push(frame);
    } else {
      small.push(frame);
      bytes += frame.length;
    }
  }
  join();
  return pieces;
}
