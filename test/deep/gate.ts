// What `.ci/run` runs behind `npm ci`: checks, tests, the suites with recorded answers, then live suites: those that
// see what changed since the last landed commit ($CI_BASE, if set), as many as the planned minutes allow, and some of
// one more area by turns. Nothing here is judged by time or memory. A step that fails holds back none: all failures are
// told at the end.
//   gate.ts [--plan]    --plan: tells what it would play, and ends
import { parseArgs } from 'node:util';
import { projectRoot } from '#test/quality/source-files.ts';
import { changeSince } from './change.ts';
import { dayOf, planGate, type Budget, type Plan } from './plan.ts';
import { buildCommands, missingNeeds } from './programs.ts';
import { Steps } from './steps.ts';
import { gateForm, type Suite } from './suite.ts';
import { suites } from './suites.ts';

/** Beside some eight minutes for installation, checks, tests and recorded suites. */
const budget: Budget = { touchedMinutes: 15, turnMinutes: 3 };
/** kube-apiserver takes about five on two cores. */
const buildMinutes = 6;

const { values } = parseArgs({ options: { plan: { type: 'boolean', default: false } } });
const now = new Date();
const change = changeSince(projectRoot, process.env['CI_BASE'], now);
const plan = planGate(suites, change.lines, dayOf(now), budget);
tellPlan(plan);
if (values.plan) process.exit(0);

const steps = new Steps();
await steps.run('npm run check', 'npm run check', 1);
await steps.run('npm test', 'npm test', 4);
for (const suite of suites) if (suite.isRecorded) await play(suite);
await build(plan.chosen);
for (const suite of plan.chosen) await play(suite);
for (const suite of plan.leftOut)
  steps.leaveOut(suite.title, `no time is left for it; by hand: ${gateForm(suite)?.command}`);
process.exitCode = steps.finish();

function tellPlan({ touched, turn, chosen }: Plan): void {
  console.log(`changes since ${change.since}`);
  if (change.lines.size === 0)
    console.log(
      '!!! LEFT OUT: the live suites of what changed: there is no commit to compare with, or nothing changed',
    );
  for (const [area, lines] of touched) console.log(`  ${area}: ${lines} lines`);
  console.log(`the area whose turn it is: ${turn ?? 'none, since all are touched'}`);
  const minutes = chosen.reduce((sum, suite) => sum + (gateForm(suite)?.minutes ?? 0), 0);
  console.log(`${chosen.length} live suites in ${minutes.toFixed(1)} minutes as planned:`);
  for (const { title, areas } of chosen) console.log(`  ${title} (${areas.join(', ')})`);
}

/** Builds the upstream programs that the suites need and this machine lacks. */
async function build(chosen: readonly Suite[]): Promise<void> {
  const missing = new Set(chosen.flatMap((suite) => missingNeeds(suite)));
  for (const [program, command] of buildCommands(missing))
    await steps.run(`build ${program}`, command, buildMinutes, { mayFail: true });
}

async function play(suite: Suite): Promise<void> {
  const form = gateForm(suite);
  if (form === undefined) return;
  const missing = missingNeeds(suite);
  if (missing.length > 0) {
    const how = suite.build === undefined ? '' : `; to have it: ${suite.build}`;
    steps.leaveOut(suite.title, `no ${missing.join(', ')} on this machine${how}`);
    return;
  }
  await steps.run(suite.title, form.command, form.minutes);
}
