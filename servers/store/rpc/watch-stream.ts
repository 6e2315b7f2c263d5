import { keyRange } from '#servers/store/mvcc/key-range.ts';
import type { MvccStore } from '#servers/store/mvcc/store.ts';
import type { ChangeEvent } from '#servers/store/watch/watch-event.ts';
import type { WatchHub } from '#servers/store/watch/watch-hub.ts';
import { Watcher } from '#servers/store/watch/watcher.ts';
import type { WatcherOutlet } from '#servers/store/watch/watcher.ts';
import type { Encodable } from '#shared/storage/etcd-wire/codec.ts';
import type { ServerStream, StreamListener } from '#shared/storage/etcd-wire/service.ts';
import type { WatchCreateRequest, WatchRequest, WatchResponse } from '#shared/storage/etcd-wire/watch-messages.ts';
import type { AnswerHeader } from './answer-header.ts';

/**
 * Larger responses are split: anywhere if the watch allows fragments, else between revisions. The size is etcd's
 * request limit.
 */
const maxResponseBytes = 1536 * 1024;
/** Watch id of responses that concern no single watch. */
const noWatch = -1;

const firstKey = Uint8Array.of(0);

/** One Watch call, with many watches on one stream. */
export class StoreWatchStream implements StreamListener<'Watch/Watch'>, WatcherOutlet {
  readonly #stream: ServerStream<'Watch/Watch'>;
  readonly #store: MvccStore;
  readonly #hub: WatchHub;
  readonly #header: AnswerHeader;
  readonly #watchers = new Map<number, Watcher>();
  #nextId = 0;
  #ready = true;
  /** Whether a progress request waits until every watch has caught up. */
  #progressAsked = false;

  constructor(stream: ServerStream<'Watch/Watch'>, store: MvccStore, hub: WatchHub, header: AnswerHeader) {
    this.#stream = stream;
    this.#store = store;
    this.#hub = hub;
    this.#header = header;
  }

  get ready(): boolean {
    return this.#ready;
  }

  onMessage(request: WatchRequest): void {
    if (request.createRequest !== undefined) this.#create(request.createRequest);
    else if (request.cancelRequest !== undefined) this.#cancel(request.cancelRequest.watchId ?? 0);
    else if (request.progressRequest !== undefined) this.#askProgress();
  }

  onHalfClose(): void {
    this.onClose();
    this.#stream.end();
  }

  onClose(): void {
    for (const watcher of this.#watchers.values()) this.#hub.remove(watcher);
    this.#watchers.clear();
  }

  onDrain(): void {
    if (this.#ready) return;
    this.#ready = true;
    this.#hub.wake();
  }

  deliver(watcher: Watcher, events: readonly ChangeEvent[], revision: number): void {
    const encoded = events.map((event) => event.encoded(watcher.prevKv));
    let from = 0;
    let bytes = 0;
    // Where the events of the revision at hand begin.
    let begins = 0;
    for (let at = 0; at < encoded.length; at++) {
      const size = (encoded[at] as Buffer).length + 8;
      if (at > 0 && revisionAt(events, at - 1) !== revisionAt(events, at)) begins = at;
      if (at > from && bytes + size > maxResponseBytes) {
        const cut = watcher.fragment ? at : begins;
        if (cut > from) {
          const within = revisionAt(events, cut - 1) === revisionAt(events, cut);
          this.#send(revisionAt(events, cut - 1), {
            watchId: watcher.id,
            fragment: within,
            events: encoded.slice(from, cut),
          });
          bytes = encoded.slice(cut, at).reduce((sum, event) => sum + event.length + 8, 0);
          from = cut;
        }
      }
      bytes += size;
    }
    this.#send(revision, { watchId: watcher.id, events: encoded.slice(from) });
  }

  compacted(watcher: Watcher, compactRevision: number): void {
    this.#watchers.delete(watcher.id);
    this.#send(this.#store.revision, { watchId: watcher.id, canceled: true, compactRevision });
  }

  failed(watcher: Watcher, reason: string): void {
    this.#watchers.delete(watcher.id);
    this.#send(this.#store.revision, { watchId: watcher.id, canceled: true, cancelReason: reason });
  }

  progress(watcher: Watcher, revision: number): void {
    this.#send(revision, { watchId: watcher.id });
  }

  synced(): void {
    if (this.#progressAsked) this.#askProgress();
  }

  #create(request: WatchCreateRequest): void {
    const range = keyRange(request.key.length === 0 ? firstKey : request.key, request.rangeEnd);
    const wanted = request.watchId ?? 0;
    if (range.end !== null && range.end <= range.start) return this.#refuse('mvcc: watcher range is empty');
    if (wanted !== 0 && this.#watchers.has(wanted))
      return this.#refuse('mvcc: duplicate watch ID provided on the WatchStream');
    const id = wanted === 0 ? this.#freeId() : wanted;
    const startRevision = request.startRevision ?? 0;
    const watcher = new Watcher(
      {
        id,
        range,
        filters: request.filters ?? [],
        prevKv: request.prevKv ?? false,
        fragment: request.fragment ?? false,
        progressNotify: request.progressNotify ?? false,
        startRevision: startRevision > 0 ? startRevision : this.#store.revision + 1,
      },
      this,
    );
    this.#watchers.set(id, watcher);
    this.#send(this.#store.revision, { watchId: id, created: true });
    this.#hub.add(watcher);
  }

  #refuse(reason: string): void {
    this.#send(this.#store.revision, { watchId: noWatch, created: true, canceled: true, cancelReason: reason });
  }

  #freeId(): number {
    while (this.#watchers.has(this.#nextId)) this.#nextId++;
    return this.#nextId++;
  }

  #cancel(id: number): void {
    const watcher = this.#watchers.get(id);
    if (watcher === undefined) return;
    this.#watchers.delete(id);
    this.#hub.remove(watcher);
    this.#send(this.#store.revision, { watchId: id, canceled: true });
  }

  #askProgress(): void {
    const watchers = [...this.#watchers.values()];
    this.#progressAsked = watchers.some((watcher) => !watcher.synced);
    if (watchers.length > 0 && !this.#progressAsked) this.#send(this.#store.revision, { watchId: noWatch });
  }

  #send(revision: number, response: Omit<Exclude<Encodable<WatchResponse>, Uint8Array>, 'header'>): void {
    if (!this.#stream.send({ ...response, header: this.#header.at(revision) })) this.#ready = false;
  }
}

function revisionAt(events: readonly ChangeEvent[], at: number): number {
  return (events[at] as ChangeEvent).revision;
}
