/**
 * `node --import tsx test/robustness/attacks/objects/run.ts [--only TEXT]… [--every N] [--protocol 1|2] [--here] [--slack MS] [--settle SECONDS] [--record FILE]`:
 * every hostile object is created and patched in four ways here and on the reference (REFERENCE_BIN), while others read.
 * Prints each request that goes beyond what is accepted, and ends with 1 if there is one. `--every 20` plays each
 * twentieth; `--here` leaves the reference out and holds the limits of its own; `--slack` is what others may wait longer on a
 * machine that is busy with other work. Memory may take `--settle` seconds to be given back, 60 unless told; 0 leaves it out.
 */
import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { hostileObjects } from './hostile-objects.ts';
import { play, type Step } from './play.ts';
import { startHere, startThere, type Target } from './target.ts';

const { values } = parseArgs({ options: {
  only: { type: 'string', multiple: true, default: [] }, every: { type: 'string', default: '1' }, from: { type: 'string', default: '0' },
  protocol: { type: 'string', default: '2' }, here: { type: 'boolean', default: false }, slack: { type: 'string', default: '0' }, settle: { type: 'string', default: '60' }, record: { type: 'string' },
} });

const mebibyte = 1024 * 1024;
const longestWaitMs = 300 + Number(values.slack);
/** Of the limits that hold without the reference: an answer tells what is stored, or a cut list of errors. */
const mostAnswerBytes = 4 * mebibyte;
/** What is released is given back at leisure. */
const settleMs = Number(values.settle) * 1_000;
const memoryGrowth = 1.2;

const protocol = values.protocol === '1' ? 1 : 2;
const chosen = hostileObjects.filter(({ name }, index) => (values.only.length === 0 || values.only.some((text) => name.includes(text))) && index >= Number(values.from) && index % Number(values.every) === 0);
const here = await startHere(protocol);
const there = values.here ? undefined : await startThere(protocol);
const record: unknown[] = [];
const findings: string[] = [];
const waits = { here: [] as number[], reference: [] as number[] };
try {
  const before = here.memoryMiB();
  const pids = here.pids().join();
  for (const [index, object] of chosen.entries()) {
    const own = await play(here, object, index, (all) => waits.here.push(...all));
    const their = there === undefined ? undefined : await play(there, object, index, (all) => waits.reference.push(...all));
    own.forEach((step, at) => judge(object.name, step, their?.find(({ what }) => what === step.what) ?? their?.[at]));
    if (here.pids().join() !== pids) throw new Error(`a process ended at ${object.name}`);
    record.push({ name: object.name, here: own, reference: their });
  }
  if (settleMs > 0) await judgeMemory(here, before);
  judgeWaits();
} finally {
  if (values.record !== undefined) writeFileSync(values.record, JSON.stringify({ waits: { here: p99(waits.here), reference: p99(waits.reference) }, record }, undefined, 1));
  await Promise.all([here.close(), there?.close()]);
}
process.stdout.write(`${chosen.length} objects were played, ${findings.length} requests went beyond what is accepted\n`);
process.exitCode = findings.length > 0 ? 1 : 0;

function tell(finding: string): void {
  findings.push(finding);
  process.stdout.write(`${finding}\n`);
}

function judge(name: string, step: Step, their: Step | undefined): void {
  const line = `${name}, ${step.what}: ${step.status}, ${step.answerBytes} bytes, ${Math.round(step.tookMs)} ms, CPU ${step.cpuMs} ms, another waited ${Math.round(step.longestWaitMs)} ms`;
  const beside = their === undefined ? '' : ` (there ${their.status}, ${their.answerBytes} bytes, ${Math.round(their.tookMs)} ms, CPU ${their.cpuMs} ms, ${Math.round(their.longestWaitMs)} ms)`;
  const reasons = [
    ...(step.answerBytes > (their === undefined ? mostAnswerBytes : their.answerBytes + mebibyte) ? ['the answer is too large'] : []),
    ...(step.longestWaitMs > Math.max(longestWaitMs, their?.longestWaitMs ?? 0) ? ['others waited too long'] : []),
    ...(step.failures.length > 0 && (their?.failures.length ?? 0) === 0 ? [`others failed: ${step.failures[0]}`] : []),
    ...(typeof step.status === 'string' || (step.status >= 500 && !(their === undefined ? step.message.includes('larger than max') : isRefusedThere(their))) ? [`it was not answered: ${step.message}`] : []),
  ];
  if (reasons.length > 0) tell(`${line}${beside}: ${reasons.join('; ')}`);
  else process.stdout.write(`ok ${line}${beside}\n`);
}

/** What is too large for storage is a 500 in other words there, or the end of the request's time. */
function isRefusedThere({ status }: Step): boolean {
  return typeof status === 'string' || status >= 500;
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
  if (own > Math.max(longestWaitMs, their)) tell(line);
  else process.stdout.write(`${line}\n`);
}

function p99(all: readonly number[]): number {
  return all.toSorted((a, b) => a - b)[Math.floor(all.length * 0.99)] ?? 0;
}
