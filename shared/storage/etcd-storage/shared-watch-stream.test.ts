import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { TestContext } from 'node:test';
import type { StreamHandlers } from '#shared/storage/etcd-wire/transport.ts';
import { EtcdRpcError, grpcCode } from '#shared/storage/etcd-wire/transport.ts';
import type { EtcdTransport } from '#shared/storage/etcd-wire/transport.ts';
import type { WatchRequest, WatchResponse } from '#shared/storage/etcd-wire/watch-messages.ts';
import { KeySpace } from './keys.ts';
import { SharedWatchStream } from './shared-watch-stream.ts';

/** One opened stream: what was written to it, and the means to answer. */
interface Opened {
  readonly written: WatchRequest[];
  readonly handlers: StreamHandlers<WatchResponse>;
}

function setUp(t: TestContext): {
  stream: SharedWatchStream;
  opened: Opened[];
  heard: string[];
  watch: (prefix: string, from: number) => void;
} {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const opened: Opened[] = [];
  const transport: Pick<EtcdTransport, 'stream'> = {
    stream: (_method, handlers) => {
      const written: WatchRequest[] = [];
      opened.push({ written, handlers });
      return { write: (message) => void written.push(message as WatchRequest), end: () => {}, cancel: () => {} };
    },
  };
  const stream = new SharedWatchStream(transport as EtcdTransport, new KeySpace('/registry'));
  t.after(() => stream.close());
  const heard: string[] = [];
  const watch = (prefix: string, from: number): void => {
    stream.watch(prefix, from, {
      onEvents: (events) =>
        heard.push(
          ...events.map((event) =>
            event.type === 'put' ? `${event.kv.key}@${event.kv.modRevision}` : `-${event.key}`,
          ),
        ),
      onProgress: (revision) => heard.push(`${prefix} progress ${revision}`),
      onError: (error) => heard.push(`${prefix} ${error.code}`),
    });
  };
  return { stream, opened, heard, watch };
}

function answer(opened: Opened | undefined, message: Partial<WatchResponse>, revision = 0): void {
  const header = { clusterId: '1', memberId: '1', revision, raftTerm: 1 };
  opened?.handlers.onMessage({
    watchId: 1,
    created: false,
    canceled: false,
    compactRevision: 0,
    cancelReason: '',
    fragment: false,
    events: [],
    header,
    ...message,
  });
}

function put(key: string, modRevision: number): WatchResponse['events'][number] {
  return {
    type: 'PUT',
    kv: { key: Buffer.from(key), value: Buffer.alloc(0), createRevision: 1, modRevision, version: 1, lease: '0' },
  };
}

const lost = new EtcdRpcError(grpcCode.unavailable, 'connection lost');

describe('SharedWatchStream', () => {
  test('opens one stream for all watches', (t) => {
    const { opened, watch } = setUp(t);
    watch('/pods/', 5);
    watch('/nodes/', 5);
    assert.equal(opened.length, 1);
    assert.deepEqual(
      opened[0]?.written.map(({ createRequest }) => String(createRequest?.key)),
      ['/registry/pods/', '/registry/nodes/'],
    );
  });

  test('resumes after a broken connection without repeating an event', (t) => {
    const { opened, heard, watch } = setUp(t);
    watch('/pods/', 5);
    answer(opened[0], { created: true });
    answer(opened[0], { events: [put('/registry/pods/a/x', 7), put('/registry/pods/a/y', 8)] });
    opened[0]?.handlers.onEnd(lost);
    t.mock.timers.tick(20);
    assert.equal(opened[1]?.written[0]?.createRequest?.startRevision, 8);
    answer(opened[1], { created: true });
    answer(opened[1], { events: [put('/registry/pods/a/y', 8), put('/registry/pods/a/z', 9)] });
    assert.deepEqual(heard, ['/pods/a/x@7', '/pods/a/y@8', '/pods/a/z@9']);
  });

  test('delivers a progress response to every watch that etcd has confirmed', (t) => {
    const { stream, opened, heard, watch } = setUp(t);
    watch('/pods/', 5);
    watch('/nodes/', 5);
    answer(opened[0], { created: true });
    stream.requestProgress();
    answer(opened[0], { watchId: -1 }, 9);
    assert.deepEqual(heard, ['/pods/ progress 9']);
  });

  test('takes no progress response that may be older than the watch for one about it, and asks again', (t) => {
    const { stream, opened, heard, watch } = setUp(t);
    watch('/pods/', 5);
    answer(opened[0], { created: true }, 9);
    stream.requestProgress();
    watch('/nodes/', 5);
    answer(opened[0], { watchId: 2, created: true }, 9);
    answer(opened[0], { watchId: -1 }, 9);
    answer(opened[0], { watchId: 2, events: [put('/registry/nodes/a', 7)] }, 9);
    answer(opened[0], { watchId: -1 }, 9);
    assert.deepEqual(heard, ['/pods/ progress 9', '/nodes/a@7', '/pods/ progress 9', '/nodes/ progress 9']);
  });

  test('merges progress requests made during one in flight into one that follows it', (t) => {
    const { stream, opened, watch } = setUp(t);
    watch('/pods/', 5);
    answer(opened[0], { created: true });
    for (let i = 0; i < 5; i++) stream.requestProgress();
    const asked = (): number =>
      opened[0]?.written.filter(({ progressRequest }) => progressRequest !== undefined).length ?? 0;
    assert.equal(asked(), 1);
    answer(opened[0], { watchId: -1 }, 9);
    assert.equal(asked(), 2);
    answer(opened[0], { watchId: -1 }, 9);
    assert.equal(asked(), 2);
  });

  test('ends a watch with Compacted after a compaction, and does not open it again', (t) => {
    const { opened, heard, watch } = setUp(t);
    watch('/pods/', 5);
    answer(opened[0], { canceled: true, compactRevision: 100 });
    assert.deepEqual(heard, ['/pods/ Compacted']);
    assert.deepEqual(opened[0]?.written.at(-1), { cancelRequest: { watchId: 1 } });
    opened[0]?.handlers.onEnd(lost);
    t.mock.timers.tick(20);
    assert.equal(opened.length, 1);
  });

  test('reconnects when the member has no leader', (t) => {
    const { opened, heard, watch } = setUp(t);
    watch('/pods/', 5);
    answer(opened[0], { created: true });
    answer(opened[0], { canceled: true, cancelReason: 'etcdserver: no leader' });
    t.mock.timers.tick(20);
    assert.equal(opened.length, 2);
    assert.deepEqual(heard, []);
  });

  test('ends only the watch that etcd rejects without an id', (t) => {
    const { opened, heard, stream, watch } = setUp(t);
    watch('/pods/', 5);
    watch('/secrets/', 5);
    watch('/nodes/', 5);
    answer(opened[0], { created: true });
    answer(opened[0], { watchId: -1, created: true, canceled: true, cancelReason: 'etcdserver: permission denied' });
    answer(opened[0], { watchId: 3, created: true });
    stream.requestProgress();
    answer(opened[0], { watchId: -1 }, 9);
    assert.deepEqual(heard, ['/secrets/ Unauthenticated', '/pods/ progress 9', '/nodes/ progress 9']);
  });

  test('asks for progress again where the answer is older than a revision it was told of', (t) => {
    const { opened, heard, stream, watch } = setUp(t);
    const asked = (): number =>
      opened[0]?.written.filter(({ progressRequest }) => progressRequest !== undefined).length ?? 0;
    watch('/pods/', 5);
    answer(opened[0], { created: true });
    stream.tell(9);
    stream.requestProgress();
    answer(opened[0], { watchId: -1 }, 8);
    assert.equal(asked(), 2);
    answer(opened[0], { watchId: -1 }, 9);
    assert.equal(asked(), 2);
    assert.deepEqual(heard, ['/pods/ progress 8', '/pods/ progress 9']);
  });
});
