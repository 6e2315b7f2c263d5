/**
 * Damages one object that a start needs, in the file of the embedded store or through its API, and starts everything on
 * it. Held: the start ends by itself, or the servers get ready and serve the rest; in both cases a line names the
 * object and the command that repairs it. Usage: starts.ts [--only TEXT] [--within SECONDS]; QUARTERDECK_DIST names
 * other bundles than those of dist/. --within: each has to be ready or ended in that time; 6 on a quiet machine.
 */
import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parseArgs } from 'node:util';
import { startStore } from '#servers/store/start/start-store.ts';
import { FrameTransport } from '#shared/storage/etcd-wire/frame-transport.ts';
import { startCluster } from '#test/cluster.ts';
import { freePort } from '#test/free-port.ts';
import { keysOf } from './keys-of.ts';

const { values } = parseArgs({
  options: { only: { type: 'string', default: '' }, within: { type: 'string', default: '60' } },
});
const withinMs = Number(values.within) * 1000;
const program = join(
  process.env['QUARTERDECK_DIST'] ?? join(import.meta.dirname, '..', '..', '..', 'dist'),
  'quarterdeck.js',
);

/** A part of the key of each object. */
const objects = [
  '/clusterroles/cluster-admin',
  '/clusterrolebindings/cluster-admin',
  '/roles/kube-system/',
  '/apiservices/v1.apps',
  '/namespaces/default',
  '/namespaces/kube-system',
  '/flowschemas/exempt',
  '/prioritylevelconfigurations/exempt',
  '/priorityclasses/system-node-critical',
  '/services/specs/default/kubernetes',
  '/servicecidrs/kubernetes',
  '/ranges/servicenodeports',
  '/configmaps/kube-system/extension-apiserver-authentication',
] as const;

/** What becomes of a value; undefined: the row in the file no longer matches its checksum. */
const kinds: Readonly<Record<string, ((value: Buffer) => Buffer) | undefined>> = {
  'damaged in the file': undefined,
  garbage: () => Buffer.from([0, 1, 0xff, 0xfe]),
  truncated: (value) => value.subarray(0, Math.floor(value.length / 2)),
};

async function spoil(dataDir: string, key: string, change: ((value: Buffer) => Buffer) | undefined): Promise<void> {
  if (change === undefined) {
    const id = keysOf(dataDir).get(key) ?? 0;
    const database = new DatabaseSync(join(dataDir, 'store.db'));
    const stored = Buffer.from(database.prepare('SELECT kv FROM log WHERE id = ?').get(id)?.['kv'] as Uint8Array);
    const at = stored.length - 12;
    stored.writeUInt8(stored.readUInt8(at) ^ 0x55, at);
    database.prepare('UPDATE log SET kv = ? WHERE id = ?').run(stored, id);
    database.close();
    return;
  }
  const socketPath = join(dataDir, 'socket');
  const store = await startStore({ dataDir, listenUnixSocket: socketPath, tellsAddress: false });
  const etcd = new FrameTransport({ socketPath });
  const { kvs } = await etcd.unary('KV/Range', { key: Buffer.from(key) });
  await etcd.unary('KV/Put', { key: Buffer.from(key), value: change(Buffer.from(kvs[0]?.value ?? [])) });
  await etcd.close();
  await store.close();
}

/** Starts everything. @returns what it wrote until it was ready or had ended */
async function start(dataDir: string): Promise<{ outcome: 'ready' | 'ended' | 'neither'; text: string; ms: number }> {
  const startedMs = performance.now();
  const argv = [program, '--data-dir', dataDir, '--secure-port', String(await freePort())];
  const child = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<'ended'>((resolve) => child.once('close', () => resolve('ended')));
  let text = '';
  const ready = Promise.withResolvers<'ready'>();
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (more: string) => {
      text += more;
      if (text.includes('quarterdeck is ready at')) ready.resolve('ready');
    });
  const late = Promise.withResolvers<'neither'>();
  const timer = setTimeout(() => late.resolve('neither'), withinMs);
  const outcome = await Promise.race([ended, ready.promise, late.promise]);
  const ms = performance.now() - startedMs;
  clearTimeout(timer);
  child.kill('SIGTERM');
  await ended;
  return { outcome, text, ms };
}

const remedy = /"quarterdeck store (repair|delete \S+)".*"quarterdeck store snapshot restore"/;

const folder = mkdtempSync(join(tmpdir(), 'damaged-starts-'));
let [played, failed, slowestMs] = [0, 0, 0];
try {
  const whole = join(folder, 'whole');
  await (await startCluster({ dataDir: whole, bundled: true })).close();
  const keys = [...keysOf(join(whole, 'store')).keys()];
  for (const object of objects)
    for (const [kind, change] of Object.entries(kinds)) {
      const key = keys.find((one) => one.includes(object));
      if (key === undefined) throw new Error(`nothing is stored under ${object}`);
      if (!`${key} ${kind}`.includes(values.only)) continue;
      const dataDir = join(folder, 'case');
      cpSync(whole, dataDir, { recursive: true });
      await spoil(join(dataDir, 'store'), key, change);
      const { outcome, text, ms } = await start(dataDir);
      rmSync(dataDir, { recursive: true });
      const name = key.slice('/registry'.length);
      const said = text.replaceAll('\\"', '"').split('\n');
      const isTold = said.some((line) => line.includes(name)) && said.some((line) => remedy.test(line));
      [played, slowestMs] = [played + 1, Math.max(slowestMs, ms)];
      console.log(`${name} ${kind}: ${outcome} after ${Math.round(ms)} ms`);
      if (outcome !== 'neither' && isTold) continue;
      failed += 1;
      console.log(
        `!!! ${outcome === 'neither' ? 'it neither got ready nor ended' : 'object or remedy was not told'}:\n${text}`,
      );
    }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(`${played} starts, ${failed} failed; the slowest took ${Math.round(slowestMs)} ms`);
process.exitCode = failed > 0 || played === 0 ? 1 : 0;
