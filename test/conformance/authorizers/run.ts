// Starts this server and kube-apiserver with the same authorizers, sends the same requests to both, and compares the
// answers, what the webhooks were asked, the metrics, reloads, and why both refuse to start with wrong files:
//   REFERENCE_BIN=FOLDER node --import tsx test/conformance/authorizers/run.ts [--only structured|flags|reloads|starts]…
// Needs the bundles of dist (or QUARTERDECK_DIST).
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureCertificates } from '#servers/launcher/pki/pki.ts';
import { pkiPaths } from '#shared/process/data-directory.ts';
import { differencesFromAll } from '#test/compare/differences.ts';
import { Report } from '#test/compare/report.ts';
import { compareStarts } from '#test/conformance/admission-plugins/compare-starts.ts';
import { usualConfiguration, type Files } from './files.ts';
import { startSide, type Side, type SideOptions } from './pair.ts';
import { compareReloads } from './reloads.ts';
import { askings, type Asking } from './requests.ts';
import { Reviewer } from './reviewer.ts';
import { policies, refusedAuthorizations } from './starts.ts';

const { values: chosen } = parseArgs({ options: { only: { type: 'string', multiple: true, default: [] } } });
const report = new Report();

export interface Sides {
  readonly here: Side;
  readonly reference: Side;
}

async function compare(part: string, { here, reference }: Sides, requests: readonly Asking[]): Promise<void> {
  for (const request of requests) {
    const [ours, theirs] = await Promise.all([here.send(request), reference.send(request)]);
    const what = `${request.name} (${request.method ?? 'GET'} ${request.path.slice(0, 100)})`;
    report.note(part, what, differencesFromAll([theirs.answer], ours.answer));
    report.equal(`${part}: questions`, what, theirs.asked, ours.asked);
  }
}

async function withSides(prepare: SideOptions['prepare'], use: (sides: Sides) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'authorizers-'));
  const pki = pkiPaths(join(folder, 'pki'));
  ensureCertificates(pki, ['127.0.0.1']);
  const reviewer = new Reviewer(pki);
  const options = { folder, reviewer, address: await reviewer.listen(), caFile: pki.caCert, prepare };
  const started = await Promise.allSettled([startSide('here', options), startSide('reference', options)]);
  try {
    const [here, reference] = started.map((one) => {
      if (one.status === 'rejected') throw one.reason;
      return one.value;
    });
    if (here !== undefined && reference !== undefined) await use({ here, reference });
  } finally {
    await Promise.all(started.map(async (one) => (one.status === 'fulfilled' ? one.value.close() : undefined)));
    reviewer.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function compareAll(part: string, sides: Sides): Promise<void> {
  for (const [name, requests] of Object.entries(askings)) await compare(`${part}: ${name}`, sides, requests);
  const [ours, theirs] = await Promise.all([sides.here.metrics(), sides.reference.metrics()]);
  report.equal(`${part}: metrics`, 'counts', Object.fromEntries(theirs), Object.fromEntries(ours));
}

function byConfiguration(files: Files): readonly string[] {
  files.configure(usualConfiguration('skipped'));
  return [`--authorization-config=${files.configuration}`];
}

function byFlags(files: Files): readonly string[] {
  files.writePolicies(policies);
  return [
    '--authorization-mode=AlwaysDeny,ABAC,Webhook,RBAC',
    `--authorization-policy-file=${files.policies}`,
    `--authorization-webhook-config-file=${files.kubeconfig('flags')}`,
    '--authorization-webhook-cache-unauthorized-ttl=0s',
  ];
}

const parts: Readonly<Record<string, () => Promise<void>>> = {
  structured: () => withSides(byConfiguration, (sides) => compareAll('structured', sides)),
  flags: () => withSides(byFlags, (sides) => compareAll('flags', sides)),
  reloads: () => withSides(byConfiguration, (sides) => compareReloads(sides, report)),
  starts: () =>
    compareStarts(
      (what, expected, found) =>
        report.note('starts', what, expected === found ? [] : [`reference ${expected}`, `here ${found}`]),
      refusedAuthorizations,
    ),
};
for (const [name, run] of Object.entries(parts))
  if (chosen.only.length === 0 || chosen.only.includes(name)) await run();
process.exit(report.finish());
