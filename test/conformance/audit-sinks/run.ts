// Starts this server and kube-apiserver with the same flags of the audit log and of the audit webhook, sends the same
// requests to both, and compares files, calls of the webhook and counts of what was not written:
//   REFERENCE_BIN=FOLDER node --import tsx test/conformance/audit-sinks/run.ts [--only NAME]
// Needs the bundles of dist (or QUARTERDECK_DIST). About 15 seconds a case.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startEventServer } from '#shared/audit/sinks/testing/event-server.ts';
import { startOurs, startTheirs, type Side } from '#test/compare/pair.ts';
import { Report } from '#test/compare/report.ts';
import { explained } from './explained.ts';
import { fileCases } from './file-cases.ts';
import type { Place, SinkCase } from './sink-case.ts';
import { webhookCases } from './webhook-cases.ts';

const { only = '' } = parseArgs({ options: { only: { type: 'string' } } }).values;
const report = new Report();

async function preparePlace(): Promise<Place> {
  const folder = mkdtempSync(join(tmpdir(), 'audit-sinks-'));
  mkdirSync(join(folder, 'logs'));
  const webhook = await startEventServer();
  webhook.writeKubeconfig(join(folder, 'kubeconfig'));
  return { folder, webhook };
}

/** What one server does in a case: its answers, and what it wrote until its end. */
async function outcome(one: SinkCase, start: (flags: readonly string[]) => Promise<Side>): Promise<unknown[]> {
  const place = await preparePlace();
  const policy = join(place.folder, 'policy.json');
  writeFileSync(policy, JSON.stringify(one.policy));
  let acted: unknown;
  try {
    const side = await start([`--audit-policy-file=${policy}`, ...one.flags(place)]);
    try {
      acted = await one.act(side, place);
    } finally {
      await side.close();
    }
    return [acted, one.written?.(place)];
  } finally {
    await place.webhook.close().catch(() => undefined);
    rmSync(place.folder, { recursive: true, force: true });
  }
}

async function compare(part: string, one: SinkCase): Promise<void> {
  const [theirs, ours] = await Promise.all([
    outcome(one, (flags) => startTheirs(flags)),
    outcome(one, (flags) => startOurs({ flags })),
  ]);
  const [want, have] = [theirs, ours].map((result) => JSON.stringify(result, undefined, 1).split('\n'));
  const lines = (want ?? []).join() === (have ?? []).join() ? [] : [`want ${want?.join('')}`, `have ${have?.join('')}`];
  report.note(part, one.name, lines, explained.has(one.name));
}

for (const [part, cases] of [
  ['files', fileCases],
  ['webhook', webhookCases],
] as const)
  for (const one of cases) if (`${part} ${one.name}`.includes(only)) await compare(part, one);
process.exit(report.finish());
