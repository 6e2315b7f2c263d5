// Whole suites, area by area, and a line for each with its result and duration at the end: see run.sh.
import { parseArgs } from 'node:util';
import { areas } from './areas.ts';
import { buildCommands, missingNeeds } from './programs.ts';
import { Steps } from './steps.ts';
import type { Suite } from './suite.ts';
import { suites } from './suites.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    bounds: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
  },
});
const named = positionals.includes('all') ? [...areas] : areas.filter((area) => positionals.includes(area));
const unknown = positionals.filter((name) => name !== 'all' && !areas.some((area) => area === name));
if (unknown.length > 0 || named.length === 0) {
  console.error(
    `${unknown.length > 0 ? `no such area: ${unknown.join(', ')}` : 'name areas'}: all, ${areas.join(', ')}`,
  );
  process.exit(2);
}
const chosen = suites.filter(
  (suite) =>
    suite.areas.some((area) => named.includes(area)) &&
    suite.title.includes(values.only) &&
    (!values.bounds || suite.bounded !== undefined),
);
if (values.list) {
  for (const { title, whole, areas: of } of chosen)
    console.log(`${title} (${of.join(', ')}; ${whole.minutes} min)\n    ${whole.command}`);
  process.exit(0);
}

/** Of upstream's programs and tests, where Go has not built them before. */
const buildMinutes = 6;

const steps = new Steps();
const missing = new Set(chosen.flatMap((suite) => missingNeeds(suite)));
for (const [program, command] of buildCommands(missing))
  await steps.run(`build ${program}`, command, buildMinutes, { mayFail: true });
for (const suite of chosen) await play(suite);
process.exitCode = steps.finish();

async function play(suite: Suite): Promise<void> {
  if (suite.build !== undefined && missingNeeds(suite).length > 0)
    await steps.run(`build what "${suite.title}" needs`, suite.build, buildMinutes, { mayFail: true });
  const lacking = missingNeeds(suite);
  if (lacking.length > 0) {
    steps.leaveOut(suite.title, `no ${lacking.join(', ')} on this machine`);
    return;
  }
  const command = values.bounds ? (suite.bounded ?? suite.whole.command) : suite.whole.command;
  await steps.run(suite.title, command, suite.whole.minutes);
}
