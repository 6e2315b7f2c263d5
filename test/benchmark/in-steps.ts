import { paced, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { stepPairs, subjects } from './step-pairs.ts';

/**
 * What each function that exists twice takes in both forms, in µs of processor time, as rows of a table. Run: node
 * --import tsx test/benchmark/in-steps.ts
 */
const shownMs = 40;
const rounds = 5;

/** Runs steps as if they were one long slice: `atOnce` would let them take the plain form. */
function inOneSlice(steps: Steps<unknown>): void {
  const slice = paced(steps, 1e12, undefined);
  while (slice.next().done !== true) continue;
}

function microseconds(run: () => unknown): number {
  const used = (times: number): number => {
    const before = process.cpuUsage();
    for (let i = 0; i < times; i++) run();
    return process.cpuUsage(before).user / times;
  };
  const times = Math.max(1, Math.ceil((shownMs * 1000) / Math.max(used(20), 0.05)));
  return Math.min(...Array.from({ length: rounds }, () => used(times)));
}

console.log(`| function | ${Object.keys(subjects).join(' | ')} |`);
console.log(`|---|${'---|'.repeat(Object.keys(subjects).length)}`);
for (const { name, plain, inSteps } of stepPairs) {
  const cells = Object.values(subjects).map((subject) => {
    const [once, stepped] = [() => plain(subject), () => inOneSlice(inSteps(subject))].map(microseconds);
    return `${(once ?? 0).toFixed(1)} / ${(stepped ?? 0).toFixed(1)}`;
  });
  console.log(`| ${name} | ${cells.join(' | ')} |`);
}
