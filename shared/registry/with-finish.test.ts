import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StorageError } from '../storage/storage.ts';
import { withFinish } from './create-object.ts';
import { interpretStorageError } from './storage-errors.ts';
import type { WriteOutcome } from './strategy.ts';

const away = (outcomeUnknown: boolean): StorageError => new StorageError('Unavailable', 'the store is away', { outcomeUnknown });
const told = (error: StorageError): unknown => interpretStorageError(error, 'create', { group: '', resource: 'services' }, 'a');

async function outcomeOf(write: () => Promise<string>): Promise<WriteOutcome | undefined> {
  let told: WriteOutcome | undefined;
  await withFinish((outcome) => void (told = outcome), write).catch(() => undefined);
  return told;
}

test('a side effect is told whether the write succeeded, failed or may have happened', async () => {
  assert.equal(await outcomeOf(() => Promise.resolve('done')), 'succeeded');
  assert.equal(await outcomeOf(() => Promise.reject(away(false))), 'failed');
  assert.equal(await outcomeOf(() => Promise.reject(away(true))), 'unknown');
  assert.equal(await outcomeOf(() => Promise.reject(told(away(true)) as Error)), 'unknown');
  assert.equal(await outcomeOf(() => Promise.reject(told(new StorageError('DeadlineExceeded', 'late', { outcomeUnknown: true })) as Error)), 'unknown');
  assert.equal(await outcomeOf(() => Promise.reject(told(away(false)) as Error)), 'failed');
});

test('a side effect that cannot be finished does not hide what became of the write', async () => {
  const broken = (): Promise<void> => Promise.reject(new Error('cannot be released'));
  assert.equal(await withFinish(broken, () => Promise.resolve('done')), 'done');
  await assert.rejects(withFinish(broken, () => Promise.reject(away(true))), { message: 'the store is away' });
});
