import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test, type TestContext } from 'node:test';
import { listenUnix } from '#shared/process/listeners/unix-listener.ts';
import { RequestState } from '#shared/server/request-state.ts';
import { ControlStreamClient } from './control-stream-client.ts';
import { readySource } from './testing/forward-rig.ts';

const directory = mkdtempSync(join(tmpdir(), 'quarterdeck-control-'));
after(() => rmSync(directory, { recursive: true, force: true }));

describe('ControlStreamClient', () => {
  test('reports that its backend drains, and tells the backend when it has left', async () => {
    const path = join(directory, 'backend.sock');
    const source = readySource();
    const listener = await listenUnix(path, (exchange) => void source.handler(new RequestState(exchange)));
    const reported: string[] = [];
    const heard = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const clients: ControlStreamClient[] = heard.map(
      ({ resolve }, index) =>
        new ControlStreamClient({
          dial: () => connect({ path }),
          onState: (state) => {
            reported.push(`${index} ${state.draining ? 'draining' : 'ready'}`);
            resolve();
            if (state.draining) clients[index]?.leave();
          },
          onQuiet: () => undefined,
          onGone: (parting) => void reported.push(`${index} gone: ${parting}`),
        }),
    );
    await Promise.all(heard.map(({ promise }) => promise));
    source.update({ draining: true });
    await source.untilAlone(10_000);
    for (const client of clients) client.close();
    assert.deepEqual(reported.filter((text) => text.startsWith('0')).slice(0, 3), [
      '0 ready',
      '0 draining',
      '0 gone: draining',
    ]);
    assert.deepEqual(reported.filter((text) => text.startsWith('1')).slice(0, 3), [
      '1 ready',
      '1 draining',
      '1 gone: draining',
    ]);
    source.close();
    listener.destroy();
  });

  test('is told of objects only where it asks for them, also when it comes later', async () => {
    const path = join(directory, 'objects.sock');
    const source = readySource();
    const listener = await listenUnix(path, (exchange) => void source.handler(new RequestState(exchange)));
    const clients: ControlStreamClient[] = [];
    const connected = (asks: boolean): Promise<unknown> =>
      new Promise((resolve) =>
        clients.push(
          new ControlStreamClient({
            dial: () => connect({ path }),
            onObjects: asks ? ({ objects }) => resolve(objects) : undefined,
            onState: (state) => {
              assert.equal(state.type, 'state');
              if (!asks) resolve(state.draining);
            },
            onQuiet: () => undefined,
            onGone: () => undefined,
          }),
        ),
      );
    source.tellObjects([['', 'pods', 3, 100]]);
    assert.equal(await connected(false), false);
    assert.deepEqual(await connected(true), [['', 'pods', 3, 100]]);
    for (const client of clients) client.close();
    source.close();
    listener.destroy();
  });
});

/**
 * A backend that says what it is once and then nothing; the clock is the test's. Answers after how many seconds it
 * counts as gone.
 */
async function secondsUntilGone(
  t: TestContext,
  name: string,
  cpuTicksAt: (second: number) => number,
  stopped: boolean,
): Promise<number | undefined> {
  let now = 1000;
  let second = 0;
  t.mock.method(performance, 'now', () => now);
  t.mock.timers.enable({ apis: ['setInterval'] });
  const path = join(directory, `${name}.sock`);
  const state = {
    type: 'state',
    server: 'core',
    ready: true,
    draining: false,
    groupVersions: [],
    checks: [],
    process: { pid: 1, startTicks: '1', bootId: 'b' },
  };
  const line = `${JSON.stringify(state)}\n`;
  const server = createServer((socket) => {
    socket
      .on('error', () => undefined)
      .once('data', () =>
        socket.write(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${line.length.toString(16)}\r\n${line}\r\n`),
      );
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  const known = Promise.withResolvers<void>();
  const gone: number[] = [];
  const client = new ControlStreamClient({
    dial: () => connect({ path }),
    activityOf: () => ({ cpuTicks: cpuTicksAt(second), stopped }),
    onState: () => known.resolve(),
    onQuiet: () => undefined,
    onGone: () => void gone.push(second),
  });
  await known.promise;
  for (second = 1; second <= 70 && gone.length === 0; second++) {
    now += 1000;
    t.mock.timers.tick(1000);
  }
  client.close();
  server.close();
  return gone[0];
}

describe('ControlStreamClient with a silent backend', () => {
  test('reports it gone after ten seconds when the backend process uses no CPU', async (t) => {
    assert.equal(await secondsUntilGone(t, 'idle', () => 5, false), 11);
  });

  test('reports it gone after ten seconds when the backend process is stopped', async (t) => {
    assert.equal(await secondsUntilGone(t, 'stopped', (second) => second, true), 11);
  });

  test('waits a minute before it reports it gone while the backend process uses CPU', async (t) => {
    assert.equal(await secondsUntilGone(t, 'busy', (second) => second, false), 61);
  });

  test('reports it gone once the backend process stops using CPU', async (t) => {
    assert.equal(await secondsUntilGone(t, 'later', (second) => Math.min(second, 30), false), 31);
  });
});
