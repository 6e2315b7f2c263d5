import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { ControlStreamSource } from '../../shared/server/control-stream.ts';
import { listenUnix } from '../../shared/server/http/unix-listener.ts';
import { RequestState } from '../../shared/server/request-state.ts';
import { ControlStreamClient } from './control-stream-client.ts';

const directory = mkdtempSync(join(tmpdir(), 'quarterdeck-control-'));
after(() => rmSync(directory, { recursive: true, force: true }));

test('a backend that drains is heard until it is left, and knows when the last gateway has left', async () => {
  const path = join(directory, 'backend.sock');
  const source = new ControlStreamSource({ type: 'state', server: 'core', ready: true, draining: false, groupVersions: [], checks: [] });
  const listener = await listenUnix(path, (exchange) => void source.handler(new RequestState(exchange)));
  const told: string[] = [];
  const heard = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const clients: ControlStreamClient[] = heard.map(({ resolve }, index) => new ControlStreamClient({
    dial: () => connect({ path }),
    onState: (state) => {
      told.push(`${index} ${state.draining ? 'draining' : 'ready'}`);
      resolve();
      if (state.draining) clients[index]?.leave();
    },
    onQuiet: () => undefined,
    onGone: (parting) => void told.push(`${index} gone: ${parting}`),
  }));
  await Promise.all(heard.map(({ promise }) => promise));
  source.update({ draining: true });
  await source.untilAlone(10_000);
  for (const client of clients) client.close();
  assert.deepEqual(told.filter((text) => text.startsWith('0')).slice(0, 3), ['0 ready', '0 draining', '0 gone: draining']);
  assert.deepEqual(told.filter((text) => text.startsWith('1')).slice(0, 3), ['1 ready', '1 draining', '1 gone: draining']);
  source.close();
  listener.destroy();
});
