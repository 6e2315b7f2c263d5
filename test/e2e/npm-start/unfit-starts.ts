/**
 * Starts the bundles on data directories in which one thing is wrong: each start has to end by itself (`--within
 * SECONDS`: in that time; 5 on a quiet machine), with a code that is not 0 and one line that names file, cause and remedy. Where this user may mount, on a
 * read-only file system, too. Usage: unfit-starts.ts [--within SECONDS]; QUARTERDECK_DIST names other bundles than
 * those of dist/.
 */
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startCluster } from '#test/cluster.ts';
import {
  copyFolder,
  cutLog,
  judgeLine,
  unfitForLauncher,
  unfitForStore,
  unwritableFolder,
} from '#test/integration/launcher/unfit-cases.ts';
import type { UnfitCase } from '#test/integration/launcher/unfit-cases.ts';
import { descendantsOf } from './process-tree.ts';

const { values } = parseArgs({ options: { within: { type: 'string', default: '120' } } });
const withinMs = Number(values.within) * 1000;
const program = join(
  process.env['QUARTERDECK_DIST'] ?? join(import.meta.dirname, '..', '..', '..', 'dist'),
  'quarterdeck.js',
);

interface Start {
  readonly output: string;
  /** Undefined when it had to be ended. */
  readonly code: number | null | undefined;
  readonly ms: number;
}

async function start(argv: readonly string[]): Promise<Start> {
  const startedMs = performance.now();
  const child = spawn(process.execPath, [program, ...argv], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (more: string) => (output += more));
  let isTimedOut = false;
  const timer = setTimeout(() => {
    isTimedOut = true;
    child.kill('SIGTERM');
  }, withinMs);
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  clearTimeout(timer);
  return { output, code: isTimedOut ? undefined : code, ms: performance.now() - startedMs };
}

const folder = mkdtempSync(join(tmpdir(), 'quarterdeck-unfit-'));
const failures: string[] = [];
let [played, slowestMs] = [0, 0];

function judge(name: string, { output, code, ms }: Start, fault: string): void {
  played++;
  slowestMs = Math.max(slowestMs, ms);
  const wrong =
    code === undefined
      ? `did not end within ${withinMs} ms: ${output}`
      : code === 0
        ? `ended with 0: ${output}`
        : fault;
  if (wrong !== '') failures.push(`${name}: ${wrong}`);
}

async function play(unfit: UnfitCase, image: string): Promise<void> {
  const dataDir = join(folder, 'case');
  copyFolder(image, dataDir);
  unfit.spoil(dataDir);
  const flags = (unfit.flags ?? []).map((flag) => flag.replace('%', dataDir));
  const started = await start(['--data-dir', join(dataDir, unfit.dataDir ?? ''), '--secure-port', '0', ...flags]);
  judge(unfit.name, started, judgeLine(started.output.trimEnd(), unfit, dataDir));
  rmSync(dataDir, { recursive: true, force: true });
}

try {
  const [whole, killed] = [join(folder, 'whole'), join(folder, 'killed')];
  const cluster = await startCluster({ dataDir: whole, bundled: true });
  const store = descendantsOf(cluster.launcher.pid as number).find((child) => child.server === 'store');
  if (store === undefined) throw new Error('the store is no process of its own');
  copyFolder(whole, killed);
  await cluster.close();
  for (const unfit of [...unfitForLauncher, ...unfitForStore]) await play(unfit, whole);
  await play(cutLog, killed);

  const unwritable = await start(['--data-dir', unwritableFolder, '--secure-port', '0']);
  judge(
    'a folder that cannot be written',
    unwritable,
    /^[^\n]*\/sys\/quarterdeck [^\n]+, or name another[^\n]*\n$/.test(unwritable.output) ? '' : unwritable.output,
  );
  const readOnly = join(folder, 'read-only');
  mkdirSync(readOnly);
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'ro', 'quarterdeck', readOnly]).status === 0) {
    try {
      const started = await start(['--data-dir', join(readOnly, 'data'), '--secure-port', '0']);
      judge(
        'a read-only file system',
        started,
        /^[^\n]*read-only\/data lies on a file system that is mounted read-only: mount it for writing[^\n]*\n$/.test(
          started.output,
        )
          ? ''
          : started.output,
      );
    } finally {
      spawnSync('umount', [readOnly]);
    }
  } else process.stdout.write('!!! LEFT OUT: a read-only file system: this user may not mount one\n');
} finally {
  rmSync(folder, { recursive: true, force: true });
}
for (const failure of failures) process.stdout.write(`${failure}\n`);
process.stdout.write(
  `${played} starts, ${failures.length} that did not end within ${withinMs / 1000} s with one line of file, cause and remedy; the slowest took ${Math.round(slowestMs)} ms\n`,
);
process.exitCode = failures.length === 0 ? 0 : 1;
