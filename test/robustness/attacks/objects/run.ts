/**
 * `node --import tsx test/robustness/attacks/objects/run.ts [--only TEXT]… [--every N] [--from N] [--count N]
 * [--protocol 1|2] [--here] [--turns] [--bytes N] [--slack MS] [--settle SECONDS] [--record FILE]`: every hostile
 * object is created and patched in four ways here, while others read, and on the reference (REFERENCE_BIN), too,
 * where something goes beyond the limits that hold without it. Prints each request that goes beyond what is accepted,
 * and ends with 1 if there is one. `--every 20` plays each twentieth; `--here` leaves the reference out; with `--slack`
 * others must not wait longer than 300 ms and that; 0 on a quiet machine. On another one `--turns` says more: it judges
 * what held the event loop of a process in one go (processor time), and tells waits only. With `--settle` memory has to
 * be given back in so many seconds (60). It is compared with what servers hold that long after
 * they have done the same with small objects.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { TurnsFile } from '#test/benchmark/turns-file.ts';
import { hostileObjects } from './hostile-objects.ts';
import { faultsAlone, faultsBeside, lineOfStep, type JudgeOptions } from './judge.ts';
import { play, usualBytes, type Step } from './play.ts';
import { startHere, startThere, type Target } from './target.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: [] },
    every: { type: 'string', default: '1' },
    from: { type: 'string', default: '0' },
    count: { type: 'string', default: 'Infinity' },
    protocol: { type: 'string', default: '2' },
    here: { type: 'boolean', default: false },
    turns: { type: 'boolean', default: false },
    bytes: { type: 'string', default: String(usualBytes) },
    slack: { type: 'string', default: 'Infinity' },
    settle: { type: 'string', default: '0' },
    record: { type: 'string' },
  },
});

/** Of the p99 of all waits; of single ones the limit is in judge.ts. */
const longestWaitMs = 300 + Number(values.slack);
const options: JudgeOptions = { slackMs: Number(values.slack), byTurns: values.turns };
/** What is released is given back at leisure. */
const settleMs = Number(values.settle) * 1_000;
const memoryGrowth = 1.2;
const smallBytes = 2_000;

const protocol = values.protocol === '1' ? 1 : 2;
const chosen = hostileObjects.filter(
  ({ name }, index) =>
    (values.only.length === 0 || values.only.some((text) => name.includes(text))) &&
    index >= Number(values.from) &&
    index < Number(values.from) + Number(values.count) &&
    index % Number(values.every) === 0,
);
const folder = mkdtempSync(join(tmpdir(), 'objects-'));
const turns = values.turns ? new TurnsFile(folder) : undefined;
const here = await startHere(protocol, turns);
let there: Target | undefined;
const record: unknown[] = [];
const findings: string[] = [];
const waits = { here: [] as number[], reference: [] as number[] };
try {
  // What the servers hold once they have done all this work in usual sizes, with its code loaded and compiled.
  if (settleMs > 0) {
    for (const [number, object] of chosen.entries())
      await play(here, object, { number, bytes: smallBytes, onWaits: () => undefined });
    await sleep(settleMs);
  }
  const before = here.memoryMiB();
  const pids = here.pids().join();
  for (const [number, object] of chosen.entries()) {
    const bytes = Number(values.bytes);
    const own = await play(here, object, { number, bytes, onWaits: (all) => waits.here.push(...all) });
    if (here.pids().join() !== pids) throw new Error(`a process ended at ${object.name}`);
    let their: readonly Step[] | undefined;
    const faulty = own.filter((step) => faultsAlone(step, options).length > 0);
    if (!values.here && faulty.length > 0) {
      there ??= await startThere(protocol);
      // The reference takes up to 34 s for each: the rest is left out, but for what stored the object here.
      const only = new Set([...faulty, ...own.filter(({ status }) => status === 201)].map(({ what }) => what));
      their = await play(there, object, { number, bytes, only, onWaits: (all) => waits.reference.push(...all) });
    }
    for (const step of own)
      judge(
        object.name,
        step,
        their?.find(({ what }) => what === step.what),
      );
    record.push({ name: object.name, here: own, reference: their });
  }
  if (settleMs > 0) await judgeMemory(here, before);
  judgeWaits();
} finally {
  if (values.record !== undefined)
    writeFileSync(
      values.record,
      JSON.stringify({ waits: { here: p99(waits.here), reference: p99(waits.reference) }, record }, undefined, 1),
    );
  await Promise.all([here.close(), there?.close()]);
  rmSync(folder, { recursive: true, force: true });
}
process.stdout.write(
  `${chosen.length} objects were played, ${findings.length} requests went beyond what is accepted\n`,
);
process.exitCode = findings.length > 0 ? 1 : 0;

function tell(finding: string): void {
  findings.push(finding);
  process.stdout.write(`${finding}\n`);
}

function judge(name: string, step: Step, their: Step | undefined): void {
  const line = `${name}, ${lineOfStep(step)}${their === undefined ? '' : ` (there ${lineOfStep(their)})`}`;
  const faults = their === undefined ? faultsAlone(step, options) : faultsBeside(step, their, options);
  if (faults.length > 0) tell(`${line}: ${faults.join('; ')}`);
  else process.stdout.write(`ok ${line}\n`);
}

async function judgeMemory(target: Target, before: number): Promise<void> {
  const deadline = performance.now() + settleMs;
  let now = target.memoryMiB();
  while (now > before * memoryGrowth && performance.now() < deadline) {
    await sleep(1_000);
    now = target.memoryMiB();
  }
  const line = `memory: ${Math.round(before)} MiB before, ${Math.round(now)} MiB at the end`;
  if (now > before * memoryGrowth) tell(`${line}: it did not come back`);
  else process.stdout.write(`${line}\n`);
}

function judgeWaits(): void {
  const [own, their] = [p99(waits.here), p99(waits.reference)];
  const line = `GETs of others: p99 ${Math.round(own)} ms here, ${Math.round(their)} ms there`;
  if (!values.turns && own > Math.max(longestWaitMs, their)) tell(line);
  else process.stdout.write(`${line}\n`);
}

function p99(all: readonly number[]): number {
  return all.toSorted((a, b) => a - b)[Math.floor(all.length * 0.99)] ?? 0;
}
