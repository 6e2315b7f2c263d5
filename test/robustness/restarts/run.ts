/**
 * Kills servers while reflectors of client-go watch a built-in and a custom resource, starts them again, and looks at
 * when the reflectors see a change that is written as soon as the server takes it. Held: from the first dial that the
 * launcher takes none is refused, also while the gateway or another process is killed; no watch gets a 410; each change
 * is seen. Usage: run.ts [--times 10] [--only NAME] [--reference] [--bounds]
 * --reference: plays the same beside kube-apiserver and etcd, where they are, and prints both.
 * --bounds: the reflectors must see the change no later than there, in the mean of all times; on a quiet machine.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { DialProbe } from './dial-probe.ts';
import { buildReflectors, Reflectors, resources } from './reflectors.ts';
import { startOwn, startUpstream, type RestartedServer } from './restarted-server.ts';
import { changeOthers, prepare, writeValue } from './writes.ts';

const { values: flags } = parseArgs({
  options: {
    times: { type: 'string', default: '10' },
    only: { type: 'string', default: '' },
    reference: { type: 'boolean', default: false },
    bounds: { type: 'boolean', default: false },
  },
});

/** More than the changes up to which storage counts as new. */
const firstChanges = 1_200;
const otherChanges = 100;

interface Crash {
  readonly name: string;
  /** The process that is killed alone; absent: all. */
  readonly process?: string;
  /** From the kill of all processes to their start. */
  readonly downMs: number;
}

const crashes: readonly Crash[] = [
  ...[100, 1_000, 3_000].map((downMs) => ({ name: `all, ${downMs} ms down`, downMs })),
  ...['gateway', 'core', 'extensions', 'store'].map((process) => ({ name: process, process, downMs: 0 })),
];

interface Outcome {
  /** Milliseconds from the start, or the kill of one process. */
  readonly accepted: number;
  readonly written: number;
  readonly seen: readonly number[];
  readonly refused: number;
  readonly clientRefused: number;
  readonly gone: number;
  readonly lists: number;
}

let lastValue = 0;

async function play(server: RestartedServer, program: string, crash: Crash): Promise<Outcome> {
  const reflectors = new Reflectors(program, server.kubeconfig);
  let probe: DialProbe | undefined;
  try {
    const before = String(++lastValue);
    await writeValue(server, before);
    await Promise.all(resources.map((resource) => reflectors.seen(resource, before)));
    await changeOthers(server, otherChanges);
    await server.kill(crash.process);
    const killedAt = Date.now();
    if (crash.process === undefined) {
      await pause(crash.downMs);
      server.start();
    }
    const startedAt = Date.now();
    probe = new DialProbe(Number(new URL(server.url).port));
    const after = String(++lastValue);
    const written = (await writeValue(server, after)) - startedAt;
    const seen = await Promise.all(resources.map((resource) => reflectors.seen(resource, after)));
    const accepted = probe.acceptedAt ?? Number.POSITIVE_INFINITY;
    return {
      accepted: accepted - startedAt,
      written,
      seen: seen.map((at) => at - startedAt),
      refused: probe.refusedAfter,
      clientRefused: reflectors.count('refused', accepted),
      gone: reflectors.count('gone', killedAt),
      lists: reflectors.count('list', killedAt),
    };
  } finally {
    probe?.close();
    await reflectors.close();
  }
}

const mean = (numbers: readonly number[]): number =>
  Math.round(numbers.reduce((sum, number) => sum + number, 0) / numbers.length);
const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

interface Row {
  readonly crash: string;
  readonly seenMs: readonly number[];
}

async function playAll(server: RestartedServer, program: string, chosen: readonly Crash[]): Promise<Row[]> {
  const rows: Row[] = [];
  await prepare(server, firstChanges);
  for (const crash of chosen) {
    const outcomes: Outcome[] = [];
    for (let time = 0; time < Number(flags.times); time++) outcomes.push(await play(server, program, crash));
    const of = (key: 'accepted' | 'written' | 'refused' | 'clientRefused' | 'gone' | 'lists'): number[] =>
      outcomes.map((outcome) => outcome[key]);
    const seenMs = resources.map((_, at) => mean(outcomes.map(({ seen }) => seen[at] ?? 0)));
    rows.push({ crash: crash.name, seenMs });
    const [refused, gone] = [sum(of('refused')) + sum(of('clientRefused')), sum(of('gone'))];
    console.log(
      `${server.name}, ${crash.name}: accepted after ${mean(of('accepted'))} ms, written ${mean(of('written'))}, seen ` +
        `${seenMs.join(' and ')} (at most ${Math.max(...outcomes.flatMap(({ seen }) => seen))}); ` +
        `${refused} refused, ${gone} told 410, ${sum(of('lists'))} lists`,
    );
    if (server.name !== 'quarterdeck' || (refused === 0 && gone === 0)) continue;
    console.log(`!!! ${crash.name}: dials were refused, or watches had to list again`);
    process.exitCode = 1;
  }
  return rows;
}

const folder = mkdtempSync(join(tmpdir(), 'restarts-'));
try {
  const program = buildReflectors(folder);
  const chosen = crashes.filter(({ name }) => name.includes(flags.only));
  const playOn = async (start: () => Promise<RestartedServer>, some: readonly Crash[]): Promise<Row[]> => {
    const server = await start();
    try {
      return await playAll(server, program, some);
    } catch (error) {
      console.log(server.output().slice(-4000));
      throw error;
    } finally {
      await server.close();
    }
  };
  const own = await playOn(() => startOwn([]), chosen);
  if (flags.reference || flags.bounds) {
    const all = chosen.filter((crash) => crash.process === undefined);
    for (const { crash, seenMs } of await playOn(startUpstream, all)) {
      const ours = own.find((row) => row.crash === crash)?.seenMs ?? [];
      if (!flags.bounds || ours.every((ms, at) => ms <= (seenMs[at] ?? 0))) continue;
      console.log(`!!! ${crash}: seen after ${ours.join(' and ')} ms, there after ${seenMs.join(' and ')}`);
      process.exitCode = 1;
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
