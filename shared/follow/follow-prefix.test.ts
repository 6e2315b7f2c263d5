import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { StorageError, type Storage } from '#shared/storage/storage.ts';
import { followPrefix } from './follow-prefix.ts';

type Watcher = Parameters<Storage['watch']>[2];

/** Storage whose revisions are given one by one; an Error is how it fails. */
function storageOf(...revisions: (number | Error)[]): {
  storage: Pick<Storage, 'currentRevision' | 'watch'>;
  watches: { readonly from: number; readonly watcher: Watcher }[];
} {
  const watches: { readonly from: number; readonly watcher: Watcher }[] = [];
  return {
    watches,
    storage: {
      async currentRevision() {
        const next = revisions.shift() ?? new Error('no more');
        if (next instanceof Error) throw next;
        return next;
      },
      watch(_prefix, from, watcher) {
        watches.push({ from, watcher });
        return { isOpen: true, close: () => undefined };
      },
    },
  };
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('followPrefix', () => {
  test('watches again after a loss, retries while storage is away, and reports the missed changes', async (context) => {
    context.mock.timers.enable({ apis: ['setTimeout'] });
    const { storage, watches } = storageOf(5, new Error('away'), new Error('still away'), 9);
    const errors: string[] = [];
    let changes = 0;
    followPrefix({
      storage,
      prefix: '/p',
      onChange: () => (changes += 1),
      onError: (error) => errors.push(String(error)),
    });
    await settle();
    assert.deepEqual([changes, watches.map(({ from }) => from)], [1, [6]]);
    watches[0]?.watcher.onEvents([], 7);
    assert.equal(changes, 2);
    watches[0]?.watcher.onError(new StorageError('Compacted', 'compacted'));
    for (let second = 0; second < 2; second++) {
      await settle();
      context.mock.timers.tick(1_000);
    }
    await settle();
    assert.deepEqual(
      [changes, watches.map(({ from }) => from), errors],
      [3, [6, 10], ['Error: away', 'Error: still away']],
    );
  });
});
