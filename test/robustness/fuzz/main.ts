/**
 * `node --import tsx test/robustness/fuzz/main.ts [--seconds 600] [--seed N] [--target name]…`: each target for so
 * long. Ends with 1 when an input broke one; the input is written to the folder of `--findings`, for `corpus/`.
 */
import { createHash, randomInt } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { takeNodeFlags } from '#servers/launcher/node-flags.ts';
import { fuzz, fuzzTargets } from './run-fuzz.ts';

takeNodeFlags();

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '600' },
    seed: { type: 'string', default: String(randomInt(2 ** 31)) },
    target: { type: 'string', multiple: true, default: [] },
    findings: { type: 'string', default: join(tmpdir(), 'quarterdeck-fuzz') },
  },
});
/** Each run of fast-check grows with its number: many short ones vary more than one long one. */
const sliceMs = 2_000;

for (const target of fuzzTargets.filter(({ name }) => values.target.length === 0 || values.target.includes(name))) {
  const until = performance.now() + Number(values.seconds) * 1000;
  let runs = 0;
  let seed = Number(values.seed);
  const rss = process.memoryUsage.rss();
  while (performance.now() < until) {
    const result = fuzz(target, seed++, { ms: Math.min(sliceMs, until - performance.now()) });
    runs += result.runs;
    // What targets close ends with a turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
    if (result.finding === undefined) continue;
    const { why, input, seed: at } = result.finding;
    mkdirSync(values.findings, { recursive: true });
    const file = join(
      values.findings,
      `${target.name}.${createHash('sha256').update(input).digest('hex').slice(0, 12)}`,
    );
    writeFileSync(file, input);
    process.stdout.write(
      `${target.name}: seed ${at}: ${why}\n  ${file}: ${JSON.stringify(input.toString('latin1').slice(0, 300))}\n`,
    );
    process.exitCode = 1;
    break;
  }
  process.stdout.write(
    `${target.name}: ${runs} inputs, memory ${Math.round((process.memoryUsage.rss() - rss) / 1024 / 1024)} MiB more\n`,
  );
}
