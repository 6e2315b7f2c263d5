import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { claimDirectory, claimSocket, joinDirectory } from './claim-directory.ts';

const patienceMs = 100;
let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'claim-'));
  mkdirSync(join(dataDir, 'run'));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

async function listen(name: string): Promise<Server> {
  const server = createServer((socket) => socket.destroy()).listen(join(dataDir, 'run', name));
  await once(server, 'listening');
  return server;
}

const refusal = {
  name: 'UnusableFileError',
  message: /^\S+ is used by another server \(.+\): end it.*, or name another --data-dir$/,
};

describe('claimDirectory', () => {
  test('refuses a second server, names the process of the first, and touches nothing', async () => {
    using _claim = await claimDirectory(dataDir);
    const before = readdirSync(dataDir);
    await assert.rejects(claimDirectory(dataDir, patienceMs), {
      ...refusal,
      ...(process.platform === 'linux' ? { message: new RegExp(`\\(process ${process.pid}\\): end it \\(kill`) } : {}),
    });
    assert.deepEqual(readdirSync(dataDir), before);
    await assert.rejects(joinDirectory(dataDir, patienceMs), refusal);
  });

  test('waits for a server that is ending', async () => {
    const first = await claimDirectory(dataDir);
    const second = claimDirectory(dataDir);
    first.release();
    (await second).release();
  });

  test('waits until no child of a killed launcher listens on a socket, and refuses when one goes on', async () => {
    const [core, gateway] = [await listen('core.sock'), await listen('gateway-2.sock')];
    core.close();
    await assert.rejects(claimDirectory(dataDir, patienceMs), refusal);
    const claim = claimDirectory(dataDir);
    gateway.close();
    (await claim).release();
  });

  test('takes a directory with the files of a killed server and of another machine', async () => {
    writeFileSync(join(dataDir, 'quarterdeck.lock'), '');
    writeFileSync(join(dataDir, 'run', 'core.sock'), '');
    (await claimDirectory(dataDir, patienceMs)).release();
  });
});

describe('joinDirectory', () => {
  test('lets many processes use a directory, and keeps launchers away', async () => {
    using _one = await joinDirectory(dataDir);
    using _two = await joinDirectory(dataDir);
    await assert.rejects(claimDirectory(dataDir, patienceMs), refusal);
  });
});

describe('claimSocket', () => {
  test('leaves no lock behind when the socket stays in use', async () => {
    const path = join(dataDir, 'run', 'core.sock');
    const server = await listen('core.sock');
    await assert.rejects(claimSocket(dataDir, path, patienceMs), refusal);
    server.close();
    (await claimSocket(dataDir, path, 0)).release();
  });

  test('refuses a socket that another process uses', async () => {
    const path = join(dataDir, 'run', 'core.sock');
    {
      using _claim = await claimSocket(dataDir, path);
      await assert.rejects(claimSocket(dataDir, path, patienceMs), refusal);
    }
    const server = await listen('core.sock');
    await assert.rejects(claimSocket(dataDir, path, patienceMs), refusal);
    server.close();
  });
});
