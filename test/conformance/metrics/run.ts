// Compares with the reference as what requests are counted, and the families of metrics that Kubernetes promises:
//   REFERENCE_BIN=FOLDER node --import tsx test/conformance/metrics/run.ts
// Needs the bundles of dist (or QUARTERDECK_DIST) and etcd.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPair, type Side } from '#test/compare/pair.ts';
import { Report } from '#test/compare/report.ts';
import { compareAdmission } from './admission/compare.ts';
import { writeExemptions } from './admission/pod-security.ts';
import { bodies, familiesOfBodies } from './bodies.ts';
import { countsOf } from './counts.ts';
import { underWay, unlikeHelp } from './explained.ts';
import type { ExposedFamily } from './exposition.ts';
import { growthBy } from './growth.ts';
import { isExplained } from './missing-families.ts';
import { preparation } from './requests.ts';
import { afterReset, gaugesAfterReset } from './reset.ts';
import { ask, metricsOf, untilServed } from './side.ts';
import { compareStorage } from './storage/compare.ts';

const report = new Report();

async function compareCounts(pair: { readonly ours: Side; readonly theirs: Side }): Promise<void> {
  const [ours, theirs] = await Promise.all([countsOf(pair.ours), countsOf(pair.theirs)]);
  for (const [asked, want] of theirs) report.equal('counts', asked, want, ours.get(asked));
}

async function compareBodies({ ours, theirs }: { readonly ours: Side; readonly theirs: Side }): Promise<void> {
  const [have, want] = await Promise.all(
    [ours, theirs].map(async (side) => await growthBy(side, bodies, familiesOfBodies)),
  );
  for (const [asked, counts] of want ?? []) report.equal('bodies', asked, counts, have?.get(asked));
}

/** Families that the reference promises are compared in whole, others but for their words. */
function compareFamilies(part: string, ours: Map<string, ExposedFamily>, theirs: Map<string, ExposedFamily>): void {
  for (const [name, want] of theirs) {
    const have = ours.get(name);
    const isPromised = /^\[(?:STABLE|BETA)\]/.test(want.help);
    if (have === undefined) {
      report.note(part, name, ['is missing'], isExplained(name));
      continue;
    }
    const shown = ({ type, help, labelNames, bounds }: ExposedFamily): unknown => ({
      type,
      help: isPromised ? help : help.slice(0, help.indexOf(' ')),
      labels: [...labelNames].sort(),
      bounds: [...bounds],
    });
    report.equal(part, name, shown(want), shown(have), unlikeHelp.has(name));
  }
}

const folder = mkdtempSync(join(tmpdir(), 'metrics-'));
const exemptions = join(folder, 'admission.json');
writeExemptions(exemptions);
const pair = await startPair({ flags: ['--admission-control-config-file', exemptions] });
try {
  const sides = [pair.ours, pair.theirs];
  for (const side of sides) {
    for (const asked of preparation) await ask(side, asked);
    await untilServed(side, '/apis/counted.example.com/v1/namespaces/counted/things');
    await untilServed(side, '/apis/counted.example.com/v1');
  }
  await compareCounts(pair);
  await compareBodies(pair);
  await compareAdmission(pair, report);
  await compareStorage(pair, report);
  const [ours, theirs] = await Promise.all([metricsOf(pair.ours), metricsOf(pair.theirs)]);
  compareFamilies('families', ours, theirs);
  const slis = await Promise.all([metricsOf(pair.ours, '/metrics/slis'), metricsOf(pair.theirs, '/metrics/slis')]);
  compareFamilies('slis', ...slis);
  const gauges = await Promise.all([gaugesAfterReset(pair.ours), gaugesAfterReset(pair.theirs)]);
  for (const [name, want] of gauges[1])
    if (gauges[0].has(name)) report.equal('gauges after a reset', name, want, gauges[0].get(name), underWay.has(name));
  const resets = await Promise.all([afterReset(pair.ours), afterReset(pair.theirs)]);
  report.equal('reset', 'DELETE /metrics', resets[1], resets[0]);
} finally {
  await pair.close();
  rmSync(folder, { recursive: true });
}

process.exit(report.finish());
