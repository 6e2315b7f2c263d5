import { EtcdRpcError, grpcCode } from '#shared/storage/etcd-wire/transport.ts';
import type { EtcdStream, EtcdTransport } from '#shared/storage/etcd-wire/transport.ts';
import type { WatchRequest, WatchResponse } from '#shared/storage/etcd-wire/watch-messages.ts';
import { StorageError } from '#shared/storage/storage.ts';
import type { StorageEvent, StorageWatch, StorageWatchHandlers, StorageWatchOptions } from '#shared/storage/storage.ts';
import { toStorageError } from './errors.ts';
import { prefixEnd } from './keys.ts';
import type { KeySpace } from './keys.ts';
import { ProgressAnswers } from './progress-answers.ts';
import type { WatchStart } from './progress-answers.ts';

const firstPauseMs = 20;
const longestPauseMs = 1_000;
/** etcd does not answer progress requests while a watch is behind: after this time another request may be sent. */
const progressAnswerMs = 100;
/** Watch id of answers to progress requests, and of refusals to create a watch. */
const everyWatch = -1;

interface Watch {
  readonly id: number;
  readonly prefix: string;
  readonly handlers: StorageWatchHandlers;
  readonly onlyDeletions: boolean;
  /** The revision at which the watch continues after a broken connection. */
  nextRevision: number;
  /** Progress requests on the present stream before its request for this watch. */
  askedBefore: number;
  /** Set once etcd has confirmed the watch on the present stream. */
  start: WatchStart | undefined;
}

/**
 * All watches of the process on one stream, so that a single progress request tells every cache which revision it has
 * reached. A broken stream is opened again, and each watch continues after the last revision that it has seen.
 */
export class SharedWatchStream {
  readonly #transport: EtcdTransport;
  readonly #keys: KeySpace;
  readonly #onBroken: () => void;
  readonly #watches = new Map<number, Watch>();
  #stream: EtcdStream<WatchRequest> | undefined;
  /** Watches whose creation was requested on the present stream and not yet answered; etcd answers in this order. */
  #creating: Watch[] = [];
  #nextId = 1;
  #pauseMs = firstPauseMs;
  #timer: NodeJS.Timeout | undefined;
  #progressAskedAt = 0;
  #progressWanted = false;
  /** The newest revision of which {@link tell} told on the present stream. */
  #told = 0;
  #answers = new ProgressAnswers();
  #closed = false;

  /** @param onBroken called when the stream has ended, as its connection is lost */
  constructor(transport: EtcdTransport, keys: KeySpace, onBroken: () => void = () => undefined) {
    this.#transport = transport;
    this.#keys = keys;
    this.#onBroken = onBroken;
  }

  watch(
    prefix: string,
    fromRevision: number,
    handlers: StorageWatchHandlers,
    { onlyDeletions = false }: StorageWatchOptions = {},
  ): StorageWatch {
    const id = this.#nextId++;
    const watch: Watch = {
      id,
      prefix,
      handlers,
      onlyDeletions,
      nextRevision: fromRevision,
      askedBefore: 0,
      start: undefined,
    };
    this.#watches.set(watch.id, watch);
    if (this.#stream !== undefined) this.#create(watch);
    else if (this.#timer === undefined) this.#open();
    return {
      get isOpen() {
        return watch.start !== undefined;
      },
      close: () => this.#remove(watch),
    };
  }

  /** Requests progress. An answer that is under way may be older than this call, so another request follows it. */
  requestProgress(): void {
    if (this.#stream === undefined) return;
    const now = performance.now();
    if (this.#progressAskedAt !== 0 && now - this.#progressAskedAt < progressAnswerMs) {
      this.#progressWanted = true;
      return;
    }
    this.#progressAskedAt = now;
    this.#progressWanted = false;
    this.#answers.ask();
    this.#stream.write({ progressRequest: {} });
  }

  /**
   * Tells of a revision that is durable, and that the store may be about to notice: an answer to a progress request that
   * is older has come too early, and another request follows it.
   */
  tell(revision: number): void {
    if (revision > this.#told) this.#told = revision;
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#stream?.cancel();
    this.#stream = undefined;
    for (const watch of this.#watches.values()) watch.start = undefined;
    this.#watches.clear();
  }

  #open(): void {
    this.#timer = undefined;
    if (this.#closed || this.#watches.size === 0) return;
    const stream = this.#transport.stream('Watch/Watch', {
      onMessage: (message) => {
        if (this.#stream === stream) this.#receive(message);
      },
      onEnd: () => {
        if (this.#stream === stream) this.#broken();
      },
    });
    this.#stream = stream;
    this.#creating = [];
    this.#progressAskedAt = 0;
    this.#told = 0;
    this.#answers = new ProgressAnswers();
    for (const watch of this.#watches.values()) this.#create(watch);
  }

  #broken(): void {
    this.#stream = undefined;
    this.#onBroken();
    for (const watch of this.#watches.values()) watch.start = undefined;
    if (this.#closed) return;
    this.#timer = setTimeout(() => this.#open(), this.#pauseMs);
    this.#pauseMs = Math.min(this.#pauseMs * 2, longestPauseMs);
  }

  /**
   * Starts the watch one revision early (`#deliver` drops events already seen): etcd answers no progress request of the
   * stream while one of its watches starts after the newest revision, and caches of a quiet cluster wait for answers.
   */
  #create(watch: Watch): void {
    const key = this.#keys.encode(watch.prefix);
    const startRevision = Math.max(1, watch.nextRevision - 1);
    watch.askedBefore = this.#answers.asked;
    this.#creating.push(watch);
    this.#stream?.write({
      createRequest: {
        key,
        rangeEnd: prefixEnd(key),
        startRevision,
        watchId: watch.id,
        progressNotify: true,
        ...(watch.onlyDeletions && { filters: ['NOPUT'] }),
      },
    });
  }

  #remove(watch: Watch): void {
    watch.start = undefined;
    if (this.#watches.delete(watch.id)) this.#stream?.write({ cancelRequest: { watchId: watch.id } });
  }

  #receive(message: WatchResponse): void {
    this.#pauseMs = firstPauseMs;
    const revision = message.header?.revision ?? 0;
    const asked = message.created ? this.#creating.shift() : undefined;
    if (message.watchId === everyWatch)
      return message.created ? this.#refused(asked, message) : this.#progressAnswer(revision);
    const watch = this.#watches.get(message.watchId);
    if (watch === undefined) return;
    if (message.canceled) return this.#cancelled(watch, message);
    if (message.created) watch.start = { askedBefore: watch.askedBefore, askedUntil: this.#answers.asked, revision };
    else if (message.events.length === 0) this.#progress(watch, revision);
    else this.#deliver(watch, message);
  }

  #deliver(watch: Watch, message: WatchResponse): void {
    const events: StorageEvent[] = [];
    let last = 0;
    for (const event of message.events) {
      const kv = event.kv;
      if (kv === undefined || kv.modRevision < watch.nextRevision) continue;
      last = kv.modRevision;
      events.push(
        event.type === 'PUT'
          ? { type: 'put', kv: this.#keys.keyValue(kv) }
          : { type: 'delete', key: this.#keys.decode(kv.key), revision: kv.modRevision },
      );
    }
    if (events.length === 0) return;
    watch.nextRevision = last + 1;
    watch.handlers.onEvents(events, last);
  }

  #progressAnswer(revision: number): void {
    this.#progressAskedAt = 0;
    this.#answers.receive();
    if (revision < this.#told) this.#progressWanted = true;
    for (const watch of this.#watches.values()) {
      if (watch.start === undefined) continue;
      if (this.#answers.covers(watch.start, revision)) this.#progress(watch, revision);
      else this.#progressWanted = true;
    }
    if (this.#progressWanted) this.requestProgress();
  }

  #progress(watch: Watch, revision: number): void {
    if (revision < watch.nextRevision - 1) return;
    watch.nextRevision = revision + 1;
    watch.handlers.onProgress(revision);
  }

  #cancelled(watch: Watch, message: WatchResponse): void {
    if (message.compactRevision > 0) {
      // etcd keeps such a watch in the stream until it is cancelled, and meanwhile answers no progress request of the
      // stream.
      this.#remove(watch);
      const details = { key: watch.prefix, revision: message.compactRevision };
      watch.handlers.onError(
        new StorageError('Compacted', 'etcdserver: mvcc: required revision has been compacted', details),
      );
      return;
    }
    const error = cancelError(watch, message);
    if (error.code === 'Unavailable') return this.#restart();
    watch.start = undefined;
    this.#watches.delete(watch.id);
    watch.handlers.onError(error);
  }

  /** Reports a refused creation (no permission for the keys, for example); etcd does not name the watch in it. */
  #refused(watch: Watch | undefined, message: WatchResponse): void {
    if (watch !== undefined && this.#watches.delete(watch.id)) watch.handlers.onError(cancelError(watch, message));
  }

  /** Opens a new stream, perhaps to another endpoint, after the member has lost its leader. */
  #restart(): void {
    this.#stream?.cancel();
    this.#broken();
  }
}

function cancelError(watch: Watch, message: WatchResponse): StorageError {
  return toStorageError(
    new EtcdRpcError(grpcCode.unknown, message.cancelReason || 'etcd cancelled the watch'),
    watch.prefix,
  );
}
