// The reference kube-apiserver on the embedded store and, in the same run and on the same disk, on etcd:
//   REFERENCE_BIN=FOLDER node --import tsx test/benchmark/on-store.ts [seconds]
// Fails when a workload has errors on the store, or when writes come at less than half of etcd's rate.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '#test/free-port.ts';
import { projectRoot } from '#test/quality/source-files.ts';
import { referenceProgram, startEtcd, startReference } from '#test/reference.ts';
import type { EtcdServer } from '#test/reference.ts';
import { runKbench } from './kbench.ts';
import type { Figures } from './kbench.ts';

const runs = ['create', 'patch', 'list500', 'watch'];
const leastShareOfWrites = 0.5;
const seconds = Number(process.argv[2] ?? 4);
const folder = mkdtempSync(join(tmpdir(), 'on-store-'));

async function startStore(): Promise<EtcdServer> {
  const url = `http://127.0.0.1:${await freePort()}`;
  const argv = [
    join(projectRoot, 'dist', 'quarterdeck.js'),
    'store',
    '--data-dir',
    join(folder, 'store'),
    '--listen-client-urls',
    url,
  ];
  const child = spawn(process.execPath, argv, { stdio: ['ignore', 'ignore', 'inherit'] });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const close = async (): Promise<void> => {
    child.kill('SIGTERM');
    await ended;
  };
  return { url, pid: child.pid ?? 0, close };
}

async function measure(database: EtcdServer): Promise<Map<string, Figures>> {
  try {
    const reference = await startReference({ etcdUrl: database.url });
    try {
      const server = { url: reference.url, token: reference.token, pids: [...reference.pids, database.pid] };
      const figures = new Map<string, Figures>();
      for (const run of runs)
        figures.set(
          run,
          await runKbench(referenceProgram('kbench') ?? 'kbench', server, { run, protobuf: false }, seconds),
        );
      return figures;
    } finally {
      await reference.close();
    }
  } finally {
    await database.close();
  }
}

try {
  const onStore = await measure(await startStore());
  const onEtcd = await measure(await startEtcd(referenceProgram('etcd') ?? '', join(folder, 'etcd')));
  for (const run of runs) {
    const [ours, theirs] = [onStore.get(run), onEtcd.get(run)];
    if (!ours || !theirs) continue;
    const share = ours.perSecond / theirs.perSecond;
    console.log(
      `${run}: ${ours.perSecond}/s on the store, ${theirs.perSecond}/s on etcd (${share.toFixed(2)}); p99 ${ours.p99Ms} and ${theirs.p99Ms} ms; CPU ${ours.cpuMicros} and ${theirs.cpuMicros} µs ${ours.errors}`,
    );
    const tooSlow = (run === 'create' || run === 'patch') && share < leastShareOfWrites;
    if (ours.errors !== '' || tooSlow) process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
