// Two gateways, cores and extensions servers are restarted one after the other under load; no request may fail:
//   node --import tsx test/replicas/rolling-restart.ts [KBENCH]
// Load is kbench (get, create, list500; several connections each) and watches that resume as informers do.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { http1Client, type ApiClient } from '../api-client.ts';
import { processesOf, untilAllReady } from '../cluster-processes.ts';
import { startCluster } from '../cluster.ts';
import { referenceProgram } from '../reference.ts';
import { adminToken, writeTokens } from '../tokens.ts';
import { ResumingWatch } from './resuming-watch.ts';

const watches = 20;
const betweenRestartsMs = 1_000;
const maps = '/api/v1/namespaces/default/configmaps';
const kbench = process.argv[2] ?? referenceProgram('kbench');
if (kbench === undefined) throw new Error('there is no kbench: REFERENCE_BIN names its folder');

/** Until all are restarted. */
const load = { over: false };
const folder = mkdtempSync(join(tmpdir(), 'rolling-'));
const two = ['--core-replicas', '2', '--extensions-replicas', '2', '--gateway-replicas', '2'];
const cluster = await startCluster({ bundled: true, flags: ['--token-auth-file', writeTokens(folder), ...two], readyWithinMs: 60_000 });
try {
  const failures = (await Promise.all([rounds(kbench), restartAll(), watchAll()])).flat();
  console.log(failures.length === 0 ? 'rolling restart: 0 failed requests' : `FAILED:\n${failures.join('\n')}`);
  process.exitCode = failures.length === 0 ? 0 : 1;
} finally {
  await cluster.close();
  rmSync(folder, { recursive: true, force: true });
}

/** Runs kbench again and again until all is restarted; the result are its errors. */
async function rounds(program: string): Promise<string[]> {
  const errors: string[] = [];
  const again = async (run: string): Promise<void> => {
    let lines = '';
    do {
      const { stdout } = await promisify(execFile)(program, ['-server', cluster.url, '-token', adminToken, '-run', run, '-d', '4s', '-c', '4', '-objects', '500']);
      lines += stdout;
    } while (!load.over);
    console.log(lines.trimEnd());
    errors.push(...lines.split('\n').filter((line) => /ERRORS|failed [1-9]|failed$/.test(line)));
  };
  // Namespace and objects first, so that the loads do not make them at the same time.
  await promisify(execFile)(program, ['-server', cluster.url, '-token', adminToken, '-run', 'get', '-d', '1s', '-objects', '500']);
  await Promise.all([again('get'), again('list500'), again('create')]);
  return errors;
}

async function restartAll(): Promise<string[]> {
  await sleep(3_000);
  for (const name of ['gateway', 'core', 'extensions'] as const) {
    for (const pid of processesOf(cluster, name)) {
      const started = performance.now();
      process.kill(pid, 'SIGTERM');
      await untilAllReady(cluster, name, 2, pid);
      console.log(`${name} ${pid} ended and another is ready after ${Math.round(performance.now() - started)} ms`);
      await sleep(betweenRestartsMs);
    }
  }
  load.over = true;
  return [];
}

/** Watches over all restarts, with a writer of their own. */
async function watchAll(): Promise<string[]> {
  let client: ApiClient = http1Client(cluster);
  const { json } = await client.send('GET', `${maps}?limit=1`);
  const version = (json as { metadata: { resourceVersion: string } }).metadata.resourceVersion;
  const all = Array.from({ length: watches }, () => new ResumingWatch(cluster, maps, version));
  const written: string[] = [];
  const failures: string[] = [];
  for (let count = 0; !load.over; count++) {
    const name = `watched-${count}`;
    try {
      const { status, text } = await client.send('POST', maps, { body: { metadata: { name } } });
      if (status === 201) written.push(name);
      else failures.push(`create ${name}: ${status} ${text}`);
    } catch (error) {
      failures.push(`create ${name}: ${String(error)}`);
      client.close();
      client = http1Client(cluster);
    }
    await sleep(20);
  }
  client.close();
  const until = performance.now() + 10_000;
  while (all.some(({ added }) => added.length < written.length) && performance.now() < until) await sleep(20);
  await Promise.all(all.map((watch) => watch.stop()));
  const wrong = all.filter(({ added }) => added.join() !== written.join());
  if (wrong.length > 0) failures.push(`${wrong.length} of ${watches} watches missed, doubled or mixed up events: ${wrong[0]?.added.length} of ${written.length}`);
  const cut = all.reduce((sum, watch) => sum + watch.cut, 0);
  const refused = all.flatMap((watch) => watch.refused);
  if (cut > 0) failures.push(`${cut} watches were cut off instead of ended`);
  if (refused.length > 0) failures.push(`${refused.length} watches were refused: ${refused[0]}`);
  console.log(`${watches} watches, opened ${all.reduce((sum, watch) => sum + watch.opened, 0)} times, ${written.length} events each, ${cut} cut off, ${refused.length} refused`);
  return failures;
}
