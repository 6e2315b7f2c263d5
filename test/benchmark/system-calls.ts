// System calls of each process for one request that comes alone, told for a GET and for a create: what wakes whom, and
// what each wake-up costs in calls.
//   node --import tsx test/benchmark/system-calls.ts [--seconds 5] [FOLDER]
// FOLDER is a `dist` of this project. kbench lies in $REFERENCE_BIN; strace is needed.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { startCluster } from '#test/cluster.ts';
import { referenceProgram } from '#test/reference.ts';
import { adminToken, writeTokens } from '#test/tokens.ts';
import { processTree } from './processes.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seconds: { type: 'string', default: '5' } },
});
const strace = 'strace';
const seconds = Number(values.seconds);
/** So few that each request is alone, also while its calls are traced. */
const perSecond = 50;
const shown = ['epoll_pwait', 'read', 'write', 'futex', 'pread64', 'pwrite64', 'fsync', 'fdatasync'];

const [build] = positionals;
if (build !== undefined) process.env['QUARTERDECK_DIST'] = resolve(build);
const folder = mkdtempSync(join(tmpdir(), 'system-calls-'));
const kbench = referenceProgram('kbench') ?? 'kbench';
const cluster = await startCluster({ bundled: true, flags: ['--token-auth-file', writeTokens(folder)] });
try {
  const processes = new Map(processTree(cluster.launcher.pid ?? 0).map((pid) => [nameOf(pid), pid]));
  await load('get,create', 2, ['-c', '32']);
  console.log(`| request | process | ${shown.join(' | ')} | other |\n|---|---|${'---|'.repeat(shown.length + 1)}`);
  for (const run of ['get', 'create'])
    for (const name of ['gateway', 'core', 'store']) {
      const calls = await callsDuring(run, processes.get(name) ?? 0);
      const each = shown.map((call) => ((calls.get(call) ?? 0) / (perSecond * seconds)).toFixed(1));
      const others = [...calls].filter(([call]) => !shown.includes(call)).reduce((sum, [, count]) => sum + count, 0);
      console.log(`| ${run} | ${name} | ${each.join(' | ')} | ${(others / (perSecond * seconds)).toFixed(1)} |`);
    }
} finally {
  await cluster.close();
  rmSync(folder, { recursive: true, force: true });
}

/** The system calls of a process, by name, while the workload runs. */
async function callsDuring(run: string, pid: number): Promise<Map<string, number>> {
  const working = load(run, seconds + 2, ['-c', '4', '-rate', String(perSecond)]);
  await new Promise((done) => setTimeout(done, 1_000));
  const output = join(folder, 'calls');
  const tracer = spawn(strace, ['-f', '-c', '-o', output, '-p', String(pid)], { stdio: 'ignore' });
  await new Promise((done) => setTimeout(done, seconds * 1_000));
  tracer.kill('SIGINT');
  await once(tracer, 'exit');
  await working;
  // % time, seconds, usecs/call, calls, perhaps errors, name
  const lines = readFileSync(output, 'utf8').matchAll(/^\s*[\d.]+\s+[\d.]+\s+\d+\s+(\d+)\s+(?:\d+\s+)?(\w+)$/gm);
  return new Map(
    [...lines].filter(([, , name]) => name !== 'total').map(([, count, name = '']) => [name, Number(count)]),
  );
}

async function load(run: string, runSeconds: number, flags: readonly string[]): Promise<void> {
  const server = ['-server', cluster.url, '-token', adminToken, '-rule=false'];
  const { stdout } = await promisify(execFile)(kbench, [...server, '-run', run, '-d', `${runSeconds}s`, ...flags]);
  if (stdout.includes('ERRORS')) throw new Error(stdout);
}

/** The server that a process of the bundle is. */
function nameOf(pid: number): string {
  const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  return words[words.findIndex((word) => word.endsWith('quarterdeck.js')) + 1] ?? '';
}
