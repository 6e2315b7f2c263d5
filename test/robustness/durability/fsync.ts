/**
 * `node --import tsx test/robustness/durability/fsync.ts`: whether the store really waits for the disk, by strace
 * between it and the kernel. The built store gets its syncs late, and no write may be answered before its sync has
 * returned; then its syncs fail, and no write may be answered at all. Last, it writes `store.tip` late, and no write
 * may be answered before: servers of the machine read that file in place of asking the store.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FrameTransport } from '#shared/storage/etcd-wire/frame-transport.ts';

const dist = process.env['QUARTERDECK_DIST'] ?? join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..', 'dist');
const syncs = 'fsync,fdatasync';
const delayMs = 250;
const writes = 20;
const silenceMs = 3_000;
const attachMs = 10_000;
const endMs = 5_000;

const folder = mkdtempSync(join(tmpdir(), 'fsync-'));
const socketPath = join(folder, 'socket');
const strace = 'strace';

try {
  await writesWait();
  await failedSyncsAreNoSuccess();
  await tipComesFirst();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function writesWait(): Promise<void> {
  const log = join(folder, 'strace.log');
  const child = await startStore();
  const tracer = await attach(child, [
    '-o',
    log,
    '-e',
    `trace=${syncs}`,
    '-e',
    `inject=${syncs}:delay_exit=${delayMs * 1000}`,
  ]);
  const took = await timesOfWrites();
  await end(tracer, child);
  const syncCount = readFileSync(log, 'utf8')
    .split('\n')
    .filter((line) => /(fsync|fdatasync)\(/.test(line)).length;
  const shortest = Math.min(...took);
  process.stdout.write(
    `${writes} writes one after the other, every sync ${delayMs} ms late: ${syncCount} syncs, the shortest write took ${Math.round(shortest)} ms\n`,
  );
  assert.ok(shortest >= delayMs, 'a write was answered before its sync was through');
  assert.ok(syncCount >= writes, 'fewer syncs than writes that followed each other');
}

async function failedSyncsAreNoSuccess(): Promise<void> {
  const child = await startStore();
  const tracer = await attach(child, [
    '-o',
    join(folder, 'failed.log'),
    '-e',
    `trace=${syncs}`,
    '-e',
    `inject=${syncs}:error=EIO`,
  ]);
  const etcd = new FrameTransport({ socketPath });
  const outcome = await etcd
    .unary('KV/Put', { key: Buffer.from('lost'), value: Buffer.from('v') }, { deadlineMs: silenceMs })
    .then(
      () => 'acknowledged',
      (error: Error) => error.message,
    );
  await etcd.close();
  await end(tracer, child);
  process.stdout.write(`a write whose sync fails: ${outcome}\n`);
  assert.notEqual(outcome, 'acknowledged');
}

async function tipComesFirst(): Promise<void> {
  const child = await startStore();
  const tracer = await attach(child, [
    '-o',
    join(folder, 'tip.log'),
    '-P',
    join(folder, 'data', 'store.tip'),
    '-e',
    'trace=pwrite64',
    '-e',
    `inject=pwrite64:delay_enter=${delayMs * 1000}`,
  ]);
  const shortest = Math.min(...(await timesOfWrites()));
  await end(tracer, child);
  process.stdout.write(
    `${writes} writes one after the other, store.tip ${delayMs} ms late: the shortest took ${Math.round(shortest)} ms\n`,
  );
  assert.ok(shortest >= delayMs, 'a write was answered before store.tip told of it');
}

async function timesOfWrites(): Promise<number[]> {
  const etcd = new FrameTransport({ socketPath });
  const took: number[] = [];
  for (let index = 0; index < writes; index++) {
    const began = performance.now();
    await etcd.unary(
      'KV/Put',
      { key: Buffer.from(`k${index}`), value: Buffer.from('v') },
      { deadlineMs: writes * delayMs },
    );
    took.push(performance.now() - began);
  }
  await etcd.close();
  return took;
}

async function startStore(): Promise<ChildProcess> {
  const child = spawn(
    process.execPath,
    [
      join(dist, 'quarterdeck.js'),
      'store',
      '--data-dir',
      join(folder, 'data'),
      '--listen-client-urls',
      '',
      '--listen-unix-socket',
      socketPath,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  await once(child.stdout as NodeJS.ReadableStream, 'data');
  return child;
}

async function attach(child: ChildProcess, argv: readonly string[]): Promise<ChildProcess> {
  const tracer = spawn(strace, ['-f', '-p', String(child.pid), ...argv], { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  tracer.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  // All threads must be held before the first write.
  const deadline = performance.now() + attachMs;
  while (!readFileSync(`/proc/${child.pid}/status`, 'utf8').includes(`TracerPid:\t${tracer.pid}`)) {
    if (tracer.exitCode !== null || performance.now() > deadline) {
      tracer.kill('SIGKILL');
      child.kill('SIGKILL');
      throw new Error(`strace could not attach to the store: ${said}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await new Promise((resolve) => setTimeout(resolve, 500));
  return tracer;
}

/**
 * strace ends by itself when the last thread of the store has. It is not asked to: an interrupt while the threads die
 * can leave it waiting for one of them for ever, and the store, whose end it has to be told first, with it.
 */
async function end(tracer: ChildProcess, child: ChildProcess): Promise<void> {
  const ended = [tracer, child].map((one) =>
    one.exitCode === null && one.signalCode === null ? once(one, 'exit') : Promise.resolve([]),
  );
  child.kill('SIGKILL');
  const overdue = setTimeout(() => tracer.kill('SIGKILL'), endMs);
  await Promise.all(ended);
  clearTimeout(overdue);
}
