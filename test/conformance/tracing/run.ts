// Requests of an administrator are traced by this server and by the reference, each into a collector of OTLP in Go:
//   npm run build && REFERENCE_BIN=FOLDER node --import tsx test/conformance/tracing/run.ts [--verbose]
// Needs Go. Names and parents of the spans of each request are compared, and the trace that webhooks and etcd are told.
// No span is without its parent.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { comparable, expectedHere } from './explained.ts';
import { buildCollector, type CollectedSpan } from './go-collector.ts';
import { passedOn } from './passed-on.ts';
import { detailsOf, linesOf, treeOf } from './span-tree.ts';
import { play, prepare, steps, traceIdOf } from './steps.ts';
import { toldOfBackground, untold } from './told-to-etcd.ts';
import { startTraced, type SideName } from './traced-server.ts';
import { startWebhook } from './webhook-server.ts';

interface Played {
  readonly codes: ReadonlyMap<string, number>;
  readonly spans: readonly CollectedSpan[];
  /** The trace ids that the webhooks were told. */
  readonly told: readonly string[];
  /** Spans of calls of etcd of which etcd was not told, and the other way round. */
  readonly untold: readonly string[];
  readonly background: readonly string[];
}

const { values: given } = parseArgs({ options: { verbose: { type: 'boolean' } } });
const folder = mkdtempSync(join(tmpdir(), 'tracing-'));

async function playOn(side: SideName, program: string): Promise<Played> {
  const webhook = await startWebhook();
  const server = await startTraced(side, program);
  try {
    await prepare(server.client, webhook);
    const codes = await play(server.client);
    await server.close();
    const traces = new Set(steps.map((_, index) => traceIdOf(index)));
    return {
      codes,
      spans: server.spans,
      told: webhook.traceparents.map((text) => text.split('-')[1] ?? ''),
      untold: untold(server, traces),
      background: toldOfBackground(server.etcdCalls, traces),
    };
  } finally {
    webhook.close();
  }
}

let differences = 0;
function complain(step: string, ...lines: string[]): void {
  differences++;
  console.log(`${step}\n${lines.map((line) => `    ${line}`).join('\n')}`);
}

function compare(ours: Played, theirs: Played): void {
  for (const [index, { name }] of steps.entries()) {
    const [here, there] = [treeOf(ours.spans, traceIdOf(index)), treeOf(theirs.spans, traceIdOf(index))];
    const [have, want] = [comparable(name, linesOf(here.roots)), expectedHere(name, linesOf(there.roots))];
    if (ours.codes.get(name) !== theirs.codes.get(name))
      complain(name, `code: ${ours.codes.get(name)} here, ${theirs.codes.get(name)} there`);
    if (have.join('\n') !== want.join('\n')) complain(name, 'here', ...have, 'there', ...want);
    if (here.orphans.length > 0) complain(name, `without their parents: ${here.orphans.join(', ')}`);
    if (given.verbose !== true) continue;
    const details = detailsOf(here.roots);
    for (const [span, text] of detailsOf(there.roots))
      if (details.get(span) !== text) console.log(`${name}: ${span}\n  there ${text}\n  here  ${details.get(span)}`);
  }
  if (ours.told.join() !== theirs.told.join())
    complain('webhooks', `told ${ours.told.join()}, there ${theirs.told.join()}`);
  for (const [side, { untold: missing }] of Object.entries({ here: ours, there: theirs }))
    if (missing.length > 0) complain(`etcd ${side}`, ...missing);
  if (ours.background.join() !== theirs.background.join())
    complain('calls of etcd for no traced request', ...ours.background, 'there', ...theirs.background);
}

/** Without a file for traces. */
async function passedOnBy(side: SideName): Promise<ReadonlyMap<string, string>> {
  const webhook = await startWebhook();
  const server = await startTraced(side, undefined);
  try {
    return await passedOn(server, webhook);
  } finally {
    await server.close();
    webhook.close();
  }
}

async function comparePassedOn(): Promise<void> {
  const theirs = await passedOnBy('theirs');
  const ours = await passedOnBy('ours');
  for (const [sent, told] of theirs)
    if (ours.get(sent) !== told) complain(`sent ${sent}`, `told here  ${ours.get(sent)}`, `told there ${told}`);
  console.log(`${theirs.size} kinds of headers passed on without tracing`);
}

try {
  const program = buildCollector(folder);
  const theirs = await playOn('theirs', program);
  const ours = await playOn('ours', program);
  compare(ours, theirs);
  await comparePassedOn();
  console.log(`tracing: ${steps.length} traces, ${ours.spans.length} spans here, ${differences} differ`);
  process.exitCode = differences === 0 && ours.spans.length > 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
