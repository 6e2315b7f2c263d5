import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ResourceFacts } from '#shared/api/facts.ts';
import { StorageError } from '#shared/storage/storage.ts';
import { withFinish } from './create-object.ts';
import { interpretStorageError } from './storage-errors.ts';
import type { WriteOutcome } from './strategy.ts';

const away = (outcomeUnknown: boolean): StorageError =>
  new StorageError('Unavailable', 'the store is away', { outcomeUnknown });
const interpreted = (error: StorageError): unknown =>
  interpretStorageError(error, 'create', { group: '', resource: 'services' }, 'a');

const errors: string[] = [];
const parts = {
  facts: { resource: 'services' } as ResourceFacts,
  reportError: (message: string) => void errors.push(message),
};

async function outcomeOf(write: () => Promise<string>): Promise<WriteOutcome | undefined> {
  let reported: WriteOutcome | undefined;
  await withFinish(parts, (outcome) => void (reported = outcome), write).catch(() => undefined);
  return reported;
}

describe('withFinish', () => {
  test('tells the finisher whether the write succeeded, failed or has an unknown outcome', async () => {
    assert.equal(await outcomeOf(() => Promise.resolve('done')), 'succeeded');
    assert.equal(await outcomeOf(() => Promise.reject(away(false))), 'failed');
    assert.equal(await outcomeOf(() => Promise.reject(away(true))), 'unknown');
    assert.equal(await outcomeOf(() => Promise.reject(interpreted(away(true)) as Error)), 'unknown');
    assert.equal(
      await outcomeOf(() =>
        Promise.reject(interpreted(new StorageError('DeadlineExceeded', 'late', { outcomeUnknown: true })) as Error),
      ),
      'unknown',
    );
    assert.equal(await outcomeOf(() => Promise.reject(interpreted(away(false)) as Error)), 'failed');
  });

  test('reports an attempt to be retried as failed', async () => {
    let reported: WriteOutcome | undefined;
    await withFinish<object>(
      parts,
      (outcome) => void (reported = outcome),
      () => Promise.resolve({ retry: undefined }),
      (attempt) => 'done' in attempt,
    );
    assert.equal(reported, 'failed');
  });

  test("returns the write's outcome when the finisher fails, and logs the failure", async () => {
    const broken = (): Promise<void> => Promise.reject(new Error('cannot be released'));
    assert.equal(await withFinish(parts, broken, () => Promise.resolve('done')), 'done');
    await assert.rejects(
      withFinish(parts, broken, () => Promise.reject(away(true))),
      { message: 'the store is away' },
    );
    assert.deepEqual(errors, [
      'Failed to finish what a write of services began',
      'Failed to finish what a write of services began',
    ]);
  });
});
