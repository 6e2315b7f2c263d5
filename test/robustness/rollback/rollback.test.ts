import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { playForks } from './play-forks.ts';
import { guestLine, playRollbacks } from './play-rollbacks.ts';

describe('rollback of a test cluster', { timeout: 180_000 }, () => {
  let folder: string;
  let tokenFile: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'rollback-'));
    tokenFile = join(folder, 'tokens.csv');
    writeFileSync(tokenFile, guestLine);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  test('after random writes, gives lists, informers, rights and addresses the state of the mark', async () => {
    await playRollbacks({ rounds: 12, seed: 1, hasWriters: false }, tokenFile);
  });

  test('while eight writers go on, undoes what came before it and keeps what came after', async () => {
    await playRollbacks({ rounds: 6, seed: 2, hasWriters: true }, tokenFile);
  });
});

describe('fork of a test cluster', { timeout: 180_000 }, () => {
  test('after random writes, and its source never show what the other wrote', async () => {
    await playForks({ rounds: 3, seed: 1 });
  });
});
