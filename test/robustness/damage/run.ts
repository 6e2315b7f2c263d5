/**
 * Damages the files of a store of many keys with history, one seed at a time, and looks at what the bundles make of it.
 * Held: a store serves whole objects only, or says that it does not, or ended with one line of cause and remedy;
 * `verify` finds what concerns live keys; `repair` keeps every live key of which no byte is damaged, and none but with
 * a value that was written. Usage: run.ts [--seeds 500] [--first 1] [--keys 5000] [--within SECONDS]
 * [--program dist/quarterdeck.js] [--serve-only]
 * --within: each has to be done in that time; 5 on a quiet machine.
 * --program: other bundles; those of a release without these commands are played with --serve-only.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { repairStore } from '#servers/store/commands/repair-store.ts';
import { verifyStore } from '#servers/store/commands/verify-store.ts';
import { copyDataDir, damage, damageKinds } from '#servers/store/testing/damage-cases.ts';
import { rowPositions, untouchedRows } from '#servers/store/testing/row-positions.ts';
import type { RowPosition } from '#servers/store/testing/row-positions.ts';
import { FrameTransport } from '#shared/storage/etcd-wire/frame-transport.ts';
import { keysOf } from './keys-of.ts';
import { readStore } from './read-store.ts';
import { StoreProcess } from './store-process.ts';
import { fillStore } from './stored-history.ts';
import type { StoredHistory } from './stored-history.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '500' },
    first: { type: 'string', default: '1' },
    keys: { type: 'string', default: '5000' },
    within: { type: 'string' },
    program: { type: 'string', default: 'dist/quarterdeck.js' },
    'serve-only': { type: 'boolean', default: false },
  },
});
const [seeds, first, keys, withinMs] = [
  Number(values.seeds),
  Number(values.first),
  Number(values.keys),
  values.within === undefined ? Number.POSITIVE_INFINITY : Number(values.within) * 1000,
];
/** Waited for at most. */
const hangMs = 120_000;
const program = resolve(values.program);
const folder = mkdtempSync(join(tmpdir(), 'store-damages-'));
/** A socket's path must be short. */
const socketPath = join(folder, 'socket');

/** Where a damage strikes; `running`: while a store serves the directory. */
const strikes = [
  { image: 'stopped', name: 'store.db', running: false },
  { image: 'killed', name: 'store.db', running: false },
  { image: 'killed', name: 'store.db-wal', running: false },
  { image: 'stopped', name: 'store.db', running: true },
  { image: 'killed', name: 'store.db-wal', running: true },
] as const;

interface Image {
  readonly dataDir: string;
  readonly places: ReadonlyMap<number, readonly RowPosition[]>;
  /** The row of each live key. */
  readonly rows: ReadonlyMap<string, number>;
}

async function prepare(): Promise<{ history: StoredHistory; images: Record<'stopped' | 'killed', Image> }> {
  const dataDir = join(folder, 'data');
  const store = new StoreProcess(program, dataDir, socketPath);
  if ((await store.started(30_000)) !== 'ready') throw new Error(store.output);
  const history = await fillStore(socketPath, keys);
  copyDataDir(dataDir, join(folder, 'killed'));
  await store.stop();
  copyDataDir(dataDir, join(folder, 'stopped'));
  return { history, images: { stopped: imageOf('stopped'), killed: imageOf('killed') } };
}

function imageOf(name: string): Image {
  const dataDir = join(folder, name);
  // SQLite empties the write-ahead log of what it closes.
  const copy = join(folder, `${name}-read`);
  copyDataDir(dataDir, copy);
  return { dataDir, places: rowPositions(copy), rows: keysOf(copy) };
}

interface Outcome {
  readonly ended: 'whole' | 'refused' | 'not started' | 'served wrong' | 'hung';
  readonly ms: number;
  readonly faults: readonly string[];
}

async function play(
  images: Record<'stopped' | 'killed', Image>,
  history: StoredHistory,
  seed: number,
): Promise<Outcome & { what: string }> {
  const kind = damageKinds[seed % damageKinds.length] as (typeof damageKinds)[number];
  const strike = strikes[Math.floor(seed / damageKinds.length) % strikes.length] as (typeof strikes)[number];
  const image = images[strike.image];
  const what = `seed ${seed}: ${kind} of ${strike.name} (${strike.running ? 'running' : strike.image})`;
  const dataDir = join(folder, 'case');
  copyDataDir(image.dataDir, dataDir);
  const faults: string[] = [];
  const judge = async (): Promise<void> => {
    if (!values['serve-only']) faults.push(...(await judgeCommands(image, history, dataDir)));
  };
  try {
    if (!strike.running) {
      damage(dataDir, strike.name, kind, seed);
      await judge();
    }
    const outcome = await serve(history, dataDir, () => {
      if (strike.running) damage(dataDir, strike.name, kind, seed);
    });
    if (strike.running) await judge();
    return { ...outcome, what, faults: [...faults, ...outcome.faults] };
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function serve(history: StoredHistory, dataDir: string, strikeNow: () => void): Promise<Outcome> {
  const store = new StoreProcess(program, dataDir, socketPath);
  const etcd = new FrameTransport({ socketPath });
  const startedMs = performance.now();
  const took = (): number => performance.now() - startedMs;
  try {
    const started = await store.started(hangMs);
    if (started === undefined)
      return { ended: 'hung', ms: took(), faults: [`neither ready nor ended: ${store.output.slice(-300)}`] };
    if (started !== 'ready') {
      const lines = store.output.trim().split('\n');
      const isReported =
        lines.length === 1 &&
        /store\.db is damaged: .+\. "quarterdeck store verify" lists what is damaged; .+/.test(lines[0] as string);
      return {
        ended: 'not started',
        ms: took(),
        faults: isReported ? delayFaults(took()) : [`ended with other words: ${store.output.slice(0, 300)}`],
      };
    }
    const readyMs = took();
    strikeNow();
    const read = await Promise.race([readStore(etcd, history, keys), pause(hangMs, undefined, { ref: false })]);
    if (read === undefined)
      return { ended: 'hung', ms: took(), faults: [`reads were not answered: ${store.output.slice(-300)}`] };
    if (read.wrong.length > 0)
      return {
        ended: 'served wrong',
        ms: took(),
        faults: [`${read.wrong.length} served wrong: ${read.wrong.slice(0, 3).join('; ')}`],
      };
    const alarms = read.refused === 0 ? [] : await missingAlarm(etcd, store);
    return {
      ended: read.refused === 0 ? 'whole' : 'refused',
      ms: took(),
      faults: [...alarms, ...delayFaults(took(), readyMs)],
    };
  } finally {
    await etcd.close();
    await store.kill();
  }
}

function delayFaults(ms: number, readyMs = ms): string[] {
  return ms > withinMs ? [`took ${Math.round(ms)} ms, ready after ${Math.round(readyMs)}`] : [];
}

/** What is refused is told, and nothing is written until somebody decides. */
async function missingAlarm(etcd: FrameTransport, store: StoreProcess): Promise<string[]> {
  const faults: string[] = [];
  const { alarms } = await etcd.unary('Maintenance/Alarm', {});
  if (alarms[0]?.alarm !== 'CORRUPT') faults.push('no alarm CORRUPT');
  const written = await etcd.unary('KV/Put', { key: Buffer.from('/registry/things/new') }).then(
    () => true,
    () => false,
  );
  if (written) faults.push('a write was accepted');
  if (!/store\.db is damaged: .+ "quarterdeck store verify"/.test(store.output))
    faults.push(`not told: ${store.output.slice(-300)}`);
  return faults;
}

async function judgeCommands(image: Image, history: StoredHistory, dataDir: string): Promise<string[]> {
  const faults: string[] = [];
  const untouched = untouchedRows(image.places, image.dataDir, dataDir);
  const live = [...image.rows].filter(([key]) => history.live.has(key));
  const whole = live.filter(([, id]) => untouched.has(id));
  const copy = join(folder, 'verified');
  copyDataDir(dataDir, copy);
  const { findings } = verifyStore(copy);
  if (whole.length < live.length && findings.length === 0)
    faults.push(`verify found nothing, and ${live.length - whole.length} live rows are damaged`);
  const repaired = join(folder, 'repaired');
  try {
    const { leftOut } = await repairStore(dataDir, repaired, false, 10);
    const kept = keysOf(repaired, true);
    const lost = whole.filter(([key]) => kept.get(key) !== history.live.get(key));
    if (lost.length > 0)
      faults.push(
        `repair lost ${lost.length} of ${whole.length} whole live keys, the first is ${lost[0]?.[0]} (row ${lost[0]?.[1]})`,
      );
    const written = new Set(
      [...history.changes].map(([change, value]) => `${change.slice(change.indexOf(' ') + 1)} ${value}`),
    );
    for (const [key, value] of kept)
      if (!written.has(`${key} ${value}`)) faults.push(`repair made ${key} with what was never written`);
    const isSilent = [...kept].some(([key, value]) => history.live.get(key) !== value) || kept.size < history.live.size;
    if (isSilent && leftOut.length === 0) faults.push('repair says that nothing was left out, and it is not all');
  } catch (error) {
    faults.push(`repair refused, and ${whole.length} live keys are whole: ${(error as Error).message}`);
  } finally {
    for (const path of [copy, repaired]) rmSync(path, { recursive: true, force: true });
  }
  return faults;
}

const counts = new Map<string, number>();
let [slowest, faulty] = [0, 0];
try {
  if (!existsSync(program)) throw new Error(`${program} does not exist: npm run build`);
  const { history, images } = await prepare();
  process.stdout.write(
    `${history.live.size} live keys, ${history.changes.size} changes, compacted at ${history.compactRevision} of ${history.revision}\n`,
  );
  for (let seed = first; seed < first + seeds; seed++) {
    const { ended, ms, faults, what } = await play(images, history, seed);
    counts.set(ended, (counts.get(ended) ?? 0) + 1);
    if (ended !== 'hung') slowest = Math.max(slowest, ms);
    if (faults.length === 0) continue;
    faulty++;
    process.stdout.write(`${what}: ${ended} after ${Math.round(ms)} ms: ${faults.join('; ')}\n`);
  }
  process.stdout.write(
    `${seeds} damages from seed ${first}: ${[...counts].map(([name, count]) => `${count} ${name}`).join(', ')}; ${faulty} with faults; the slowest took ${Math.round(slowest)} ms\n`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
if (faulty > 0) process.exitCode = 1;
