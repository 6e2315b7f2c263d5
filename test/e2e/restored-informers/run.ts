// Informers of client-go and client-node go on where a snapshot is restored under them: while 32 clients write,
// snapshots are taken; the last one takes the place of the data, at the same address with the same keys; each
// informer's store must equal the list again, and after further writes, too. Needs Go; without it, client-node alone.
//   node --import tsx test/e2e/restored-informers/run.ts [--objects 300]
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual, parseArgs, promisify } from 'node:util';
import type { V1ConfigMap } from '@kubernetes/client-node';
import { http1Client } from '#test/api-client.ts';
import type { ApiClient } from '#test/api-client.ts';
import { startCluster } from '#test/cluster.ts';
import type { Cluster } from '#test/cluster.ts';
import { freePort } from '#test/free-port.ts';
import { clientGoStore, clientNodeStore, heldForm } from './held-stores.ts';
import type { Held, HeldStore } from './held-stores.ts';

const { values } = parseArgs({ options: { objects: { type: 'string', default: '300' } } });
const objects = Number(values.objects);
const writers = 32;
const snapshots = 3;
const equalWithinMs = 60_000;
const path = '/api/v1/namespaces/default/configmaps';
const folder = mkdtempSync(join(tmpdir(), 'restored-'));
const launcher = join(import.meta.dirname, '..', '..', '..', 'servers', 'launcher', 'main.ts');

function store(...argv: string[]): Promise<{ stdout: string }> {
  return promisify(execFile)(process.execPath, ['--import', 'tsx', launcher, 'store', ...argv]);
}

async function create(client: ApiClient, name: string): Promise<void> {
  const { status, text } = await client.send('POST', path, { body: { metadata: { name }, data: { text: name } } });
  if (status !== 201) throw new Error(text);
}

/** Each writer has objects of its own, which it changes, deletes and makes anew. @returns ends it */
function startWriting(client: ApiClient): () => Promise<void> {
  const stopped = new AbortController();
  const write = async (writer: number): Promise<void> => {
    for (let i = 0; !stopped.signal.aborted; i++) {
      const name = `m-${writer + writers * (i % Math.floor(objects / writers))}`;
      if (i % 5 === 4) {
        await client.send('DELETE', `${path}/${name}`);
        await create(client, name);
      } else
        await client.send('PATCH', `${path}/${name}`, {
          body: { data: { text: `${name} ${i}` } },
          headers: { 'content-type': 'application/merge-patch+json' },
        });
    }
  };
  const running = Array.from({ length: writers }, (_, writer) => write(writer));
  return async () => {
    stopped.abort();
    await Promise.all(running);
  };
}

async function listed(client: ApiClient): Promise<Held> {
  const { json } = await client.send('GET', path);
  return Object.fromEntries(
    (json.items as V1ConfigMap[]).map((object) => [object.metadata?.name ?? '', heldForm(object)]),
  );
}

/** @returns how long each took */
async function untilEqual(client: ApiClient, stores: readonly HeldStore[], when: string): Promise<void> {
  const wanted = await listed(client);
  const startedMs = performance.now();
  const times = await Promise.all(
    stores.map(async (held) => {
      for (;;) {
        const found = await held.read();
        if (isDeepStrictEqual({ ...found }, wanted))
          return `${held.name} ${Math.round(performance.now() - startedMs)} ms`;
        if (performance.now() - startedMs > equalWithinMs)
          throw new Error(
            `${held.name} holds ${Object.keys(found).length} objects ${when}, not the ${Object.keys(wanted).length} of the list`,
          );
        await pause(50);
      }
    }),
  );
  console.log(
    `${when}: ${Object.keys(wanted).length} objects in each store and in the list; equal after ${times.join(', ')}`,
  );
}

function buildGo(): string | undefined {
  const program = join(folder, 'restored-informer');
  if (spawnSync('go', ['version'], { stdio: 'ignore' }).status !== 0) return undefined;
  const { status } = spawnSync('go', ['build', '-o', program, '.'], {
    cwd: join(import.meta.dirname, '..', '..', 'recorders', 'clients', 'restored-informer'),
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error('the program of client-go could not be built');
  return program;
}

const stores: HeldStore[] = [];
let running: Cluster | undefined;
try {
  const program = buildGo();
  const flags = ['--secure-port', String(await freePort())];
  const start = async (dataDir: string): Promise<Cluster> =>
    (running = await startCluster({ dataDir: join(folder, dataDir), bundled: true, readyWithinMs: 60_000, flags }));
  const first = await start('old');
  const client = http1Client(first);
  for (let i = 0; i < objects; i++) await create(client, `m-${i}`);
  stores.push(
    await clientNodeStore(first.kubeconfig),
    ...(program === undefined
      ? []
      : [true, false].map((watchList) => clientGoStore(program, first.kubeconfig, watchList))),
  );
  if (program === undefined) console.log('!!! LEFT OUT: client-go: no Go on this machine');
  await untilEqual(client, stores, 'before');
  const stop = startWriting(client);
  const saved = Array.from({ length: snapshots }, (_, i) => join(folder, `snapshot-${i}`));
  for (const [i, file] of saved.entries())
    console.log(
      (
        await store(
          'snapshot',
          'save',
          file,
          '--data-dir',
          join(folder, 'old', 'store'),
          ...(i === snapshots - 1 ? ['--with-pki'] : []),
        )
      ).stdout.trim(),
    );
  await pause(1000);
  await stop();
  await untilEqual(client, stores, 'while clients wrote');
  client.close();
  await first.close();
  console.log(
    (
      await store('snapshot', 'restore', saved.at(-1) ?? '', '--data-dir', join(folder, 'new', 'store'), '--with-pki')
    ).stdout.trim(),
  );
  const again = http1Client(await start('new'));
  await untilEqual(again, stores, 'restored');
  const stopAgain = startWriting(again);
  await pause(1000);
  await stopAgain();
  await untilEqual(again, stores, 'after further writes');
  again.close();
} finally {
  for (const held of stores) held.close();
  await running?.close();
  rmSync(folder, { recursive: true, force: true });
}
