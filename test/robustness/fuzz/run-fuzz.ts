import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { bodyTargets } from './body-targets.ts';
import { cborTargets } from './cbor-targets.ts';
import { expressionTargets } from './expression-targets.ts';
import type { FuzzTarget } from './fuzz-target.ts';
import { http2Target } from './http2-target.ts';
import { mutate } from './mutate.ts';
import { streamTargets } from './stream-targets.ts';
import { textTargets } from './text-targets.ts';
import { wireTargets } from './wire-targets.ts';

export const fuzzTargets: readonly FuzzTarget[] = [
  ...bodyTargets,
  ...cborTargets,
  ...textTargets,
  ...expressionTargets,
  ...wireTargets,
  ...streamTargets,
  http2Target,
];

const corpus = join(dirname(fileURLToPath(import.meta.url)), 'corpus');
/** Of processor time, for 64 KiB at most; slow twice in a row, since code is compiled meanwhile. */
const slowMs = 500;
/** Smaller cases are looked for no longer. */
const shrinkMs = 20_000;

const mutation = fc.record({
  kind: fc.constantFrom('flip', 'remove', 'token', 'bytes', 'repeat', 'copy', 'cut' as const),
  at: fc.nat(65_535),
  length: fc.nat(40),
  bytes: fc.uint8Array({ minLength: 1, maxLength: 6 }),
  choice: fc.nat(180),
});

/** Why the input breaks the target; undefined when it does not. */
export function judge(target: FuzzTarget, bytes: Buffer): string | undefined {
  const slow = timed(target, bytes);
  const wrong =
    slow.wrong ??
    (slow.ms > slowMs && timed(target, bytes).ms > slowMs ? `takes ${Math.round(slow.ms)} ms` : undefined);
  const polluted = Object.keys(Object.prototype);
  if (polluted.length === 0) return wrong;
  for (const key of polluted) delete (Object.prototype as Record<string, unknown>)[key];
  return `writes ${polluted.join()} to Object.prototype`;
}

/** Inputs that broke something once, by file name. */
export function savedCases(target: FuzzTarget): Buffer[] {
  return readdirSync(corpus)
    .filter((file) => file.startsWith(`${target.name}.`))
    .map((file) => readFileSync(join(corpus, file)));
}

export interface Finding {
  readonly target: string;
  readonly why: string;
  /** The smallest that was found. */
  readonly input: Buffer;
  readonly seed: number;
}

/** Runs a target on inputs that the seed determines, for so many runs or so long; the first finding ends it. */
export function fuzz(
  target: FuzzTarget,
  seed: number,
  limit: { runs: number } | { ms: number },
): { runs: number; finding?: Finding } {
  const samples = target.samples.map((sample) => Buffer.from(sample));
  const input = fc.oneof(
    {
      weight: 20,
      arbitrary: fc
        .tuple(fc.constantFrom(...samples), fc.array(mutation, { minLength: 1, maxLength: 6 }))
        .map(([sample, mutations]) => mutate(sample, target.tokens, mutations)),
    },
    {
      weight: 2,
      arbitrary: fc
        .array(fc.constantFrom(...target.tokens), { maxLength: 40 })
        .map((parts) => Buffer.from(parts.join(''), 'latin1')),
    },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)) },
  );
  const property = fc.property(input, (bytes) => {
    const why = judge(target, bytes);
    if (why !== undefined) throw new Error(why);
  });
  const result = fc.check(property, {
    seed,
    ...('runs' in limit
      ? { numRuns: limit.runs, interruptAfterTimeLimit: shrinkMs }
      : { numRuns: 1e9, interruptAfterTimeLimit: limit.ms }),
  });
  if (!result.failed || result.counterexample === null) return { runs: result.numRuns };
  const [smallest] = result.counterexample;
  return {
    runs: result.numRuns,
    finding: { target: target.name, why: judge(target, smallest) ?? 'only sometimes', input: smallest, seed },
  };
}

function timed(target: FuzzTarget, bytes: Buffer): { ms: number; wrong?: string } {
  const began = process.threadCpuUsage().user;
  const spentMs = (): number => (process.threadCpuUsage().user - began) / 1000;
  try {
    target.run(Buffer.from(bytes));
  } catch (error) {
    // The name of the class: not all of them set their own.
    const name = error instanceof Error ? error.constructor.name : 'no error';
    const refused = target.refusals.includes(name) || (error instanceof Error && target.refusals.includes(error.name));
    if (!refused)
      return {
        ms: spentMs(),
        wrong: error instanceof Error ? `${name}: ${error.stack?.split('\n').slice(0, 4).join(' ')}` : String(error),
      };
  }
  return { ms: spentMs() };
}
