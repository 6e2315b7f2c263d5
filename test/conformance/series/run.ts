// Sends series of requests to this server and to the reference and compares every answer, managed fields included:
//   REFERENCE_BIN=FOLDER node --import tsx test/conformance/series/run.ts [--reference URL --ours URL] [--share N] [TEXT-IN-THE-NAME-OF-A-SERIES…]
// With --share one series of N is played, other ones each day.
// Needs the bundles of dist (or QUARTERDECK_DIST) where no servers are named (their token is in SERIES_TOKEN).
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { differencesFromAll } from '#test/compare/differences.ts';
import { sendJson, type Exchange, type Server } from '#test/compare/exchange.ts';
import { normalForm } from '#test/compare/normal-form.ts';
import { serversAt } from '#test/compare/pair.ts';
import { Report } from '#test/compare/report.ts';
import { everyGate } from '#test/conformance/gates/flag-sets.ts';
import { adminToken } from '#test/tokens.ts';
import { appliedUnknownSeries } from './applied-unknown.ts';
import { atomicListSeries } from './atomic-lists.ts';
import { automaticRegistrationSeries } from './automatic-registrations.ts';
import { changesByTypeSeries } from './changes-by-type.ts';
import { claimRightsSeries } from './claim-rights.ts';
import { claimAndCandidateSeries } from './claims-and-candidates.ts';
import { clusterTrustBundleSeries } from './cluster-trust-bundles.ts';
import { containerChoiceSeries } from './container-choices.ts';
import { customCauseSeries } from './custom-causes.ts';
import { customComparisonSeries } from './custom-comparisons.ts';
import { customFloatSeries } from './custom-floats.ts';
import { customMetadataSeries } from './custom-metadata.ts';
import { customNullSeries } from './custom-nulls.ts';
import { customRatchetSeries } from './custom-ratchets.ts';
import { customRuleSeries } from './custom-rules.ts';
import { customScaleSeries } from './custom-scale.ts';
import { deepObjectSeries } from './deep-objects.ts';
import { definitionEndingSeries } from './definition-endings.ts';
import { deviceTaintSeries } from './device-taint-rules.ts';
import { dryRunSeries } from './dry-runs.ts';
import { eventFieldSeries } from './event-fields.ts';
import { orderDifferences } from './field-order.ts';
import { freeDataSeries } from './free-data.ts';
import { goNameSeries } from './go-names.ts';
import { itemsWithoutKeysSeries } from './items-without-keys.ts';
import { jsonPatchTextSeries } from './json-patch-texts.ts';
import { jsonTextSeries } from './json-texts.ts';
import { managedFieldsSeries } from './managed-fields.ts';
import { nodeConnectionSeries } from './node-connections.ts';
import { nodeRightSeries } from './node-rights.ts';
import { otherFormSeries } from './other-forms.ts';
import { ownedChangeSeries } from './owned-changes.ts';
import { parentViewSeries } from './parent-views.ts';
import { patchedVersionSeries } from './patched-versions.ts';
import { pathSeries } from './paths.ts';
import { placementSeries } from './placement.ts';
import { podCertificateSeries } from './pod-certificates.ts';
import { groupPrioritySeries, podGroupSeries } from './pod-groups.ts';
import { podSubresourceSeries } from './pod-subresources.ts';
import { podsAndVolumesSeries } from './pods-and-volumes.ts';
import { poolStatusSeries } from './pool-status-requests.ts';
import { rawJsonSeries } from './raw-json.ts';
import { refusalSeries } from './refusals.ts';
import { refusedAndWarnedSeries } from './refused-and-warned.ts';
import { refusedPathSeries } from './refused-paths.ts';
import { registrationVersionSeries } from './registration-versions.ts';
import { schemaChangeSeries } from './schema-changes.ts';
import { sentOf, type Request, type Series } from './series.ts';
import { serverWriteSeries } from './server-writes.ts';
import { shardSeries } from './shards.ts';
import { spelledNumberSeries } from './spelled-numbers.ts';
import { statusMetadataSeries } from './status-metadata.ts';
import { storageVersionKindSeries } from './storage-version-kinds.ts';
import { strategicPatchTextSeries } from './strategic-patch-texts.ts';
import { templateFaultSeries } from './template-faults.ts';
import { viewCellSeries } from './view-cells.ts';
import { warningSeries } from './warnings.ts';
import { workloadSeries } from './workloads.ts';

const { values: flags, positionals: chosen } = parseArgs({
  allowPositionals: true,
  options: { reference: { type: 'string' }, ours: { type: 'string' }, share: { type: 'string', default: '1' } },
});
const all: readonly Series[] = [
  // Lists of a whole namespace come first: of managers in one second, that other series leave there, the order may
  // differ.
  ...pathSeries,
  ...managedFieldsSeries,
  ...schemaChangeSeries,
  ...claimAndCandidateSeries,
  ...customScaleSeries,
  ...customMetadataSeries,
  ...customCauseSeries,
  ...customComparisonSeries,
  ...customNullSeries,
  ...customRatchetSeries,
  ...customRuleSeries,
  ...customFloatSeries,
  ...atomicListSeries,
  ...appliedUnknownSeries,
  ...itemsWithoutKeysSeries,
  ...jsonPatchTextSeries,
  ...strategicPatchTextSeries,
  ...rawJsonSeries,
  ...otherFormSeries,
  ...placementSeries,
  ...changesByTypeSeries,
  ...podsAndVolumesSeries,
  ...podSubresourceSeries,
  ...parentViewSeries,
  ...refusedAndWarnedSeries,
  ...claimRightsSeries,
  ...nodeRightSeries,
  ...nodeConnectionSeries,
  ...warningSeries,
  ...statusMetadataSeries,
  ...deepObjectSeries,
  ...eventFieldSeries,
  ...spelledNumberSeries,
  ...shardSeries,
  ...dryRunSeries,
  ...jsonTextSeries,
  ...freeDataSeries,
  ...ownedChangeSeries,
  ...refusalSeries,
  ...containerChoiceSeries,
  ...viewCellSeries,
  ...templateFaultSeries,
  ...goNameSeries,
  ...definitionEndingSeries,
  ...serverWriteSeries,
  ...automaticRegistrationSeries,
  ...registrationVersionSeries,
  ...patchedVersionSeries,
  ...refusedPathSeries,
];
/** Of kinds that are off by default. */
const ofEveryGate: readonly Series[] = [
  ...workloadSeries,
  ...podGroupSeries,
  ...groupPrioritySeries,
  ...poolStatusSeries,
  ...deviceTaintSeries,
  ...nodeRightSeries,
];

/**
 * Two servers in parallel may see a second end at different moments, which orders managers: what differs is sent again.
 */
const usualAttempts = 3;

async function answers(server: Server, requests: readonly Request[]): Promise<readonly Exchange[]> {
  const exchanges: Exchange[] = [];
  for (const request of requests) exchanges.push(await answer(server, request, exchanges));
  return exchanges;
}

async function answer(server: Server, request: Request, before: readonly Exchange[]): Promise<Exchange> {
  const sent = sentOf(request, before);
  for (let left = 100; ; left--) {
    const exchange = await server.send(sent);
    if (request.until === undefined || request.until(exchange) || left === 0) return exchange;
    await sleep(100);
  }
}

let run = 0;

/** Where they part, with the request; empty where they do not. */
async function differencesIn(series: Series, [ours, theirs]: readonly [Server, Server]): Promise<readonly string[]> {
  const requests = series.requests(`r${(Date.now() % 1e9).toString(36)}${run++}`);
  const [have, want] = await Promise.all([answers(ours, requests), answers(theirs, requests)]);
  return want.flatMap((exchange, index) => {
    const other = have[index];
    if (other === undefined) return [];
    const lines = [
      ...differencesFromAll([normalForm(exchange, false)], normalForm(other, false)),
      ...orderDifferences(exchange, other),
    ];
    const request = `${exchange.sent.method} ${exchange.sent.path} (request ${index}, ${exchange.status})`;
    return lines.map((line) => `${request}: ${line}`);
  });
}

const token = process.env['SERIES_TOKEN'] ?? adminToken;
const share = Number(flags.share);
/** Days since 1970. */
const today = Math.floor(Date.now() / 86_400_000);
/** Kinds of certificates and of storage that are off by default. */
const versions = [
  'certificates.k8s.io/v1alpha1',
  'certificates.k8s.io/v1beta1',
  'storagemigration.k8s.io/v1beta1',
  'internal.apiserver.k8s.io/v1alpha1',
];
const gates = ['ClusterTrustBundle', 'PodCertificateRequest', 'StorageVersionMigrator'];
const isOn = (names: readonly string[]): string => names.map((name) => `${name}=true`).join(',');
const report = new Report();

/** Starts both with the flags unless they are named, and counts the series in which they part. */
async function compareAll(series: readonly Series[], serverFlags: readonly string[]): Promise<void> {
  const wanted = series.filter(
    ({ name }, index) =>
      (chosen.length === 0 || chosen.some((part) => name.includes(part))) && index % share === today % share,
  );
  if (wanted.length === 0) return;
  const pair = await serversAt(flags, token, { flags: serverFlags });
  const servers = [pair.ours, pair.theirs] as const;
  // Without it both refuse every pod alike, and a series chosen by itself compares nothing.
  const account = { metadata: { name: 'default' } };
  for (const server of servers) await sendJson(server, 'POST', '/api/v1/namespaces/default/serviceaccounts', account);
  for (const one of wanted) await compareOne(one, servers);
  await pair.close();
}

async function compareOne(series: Series, servers: readonly [Server, Server]): Promise<void> {
  let lines: readonly string[] = [];
  for (let attempt = 0; attempt < (series.attempts ?? usualAttempts); attempt++) {
    lines = await differencesIn(series, servers);
    if (lines.length === 0) break;
  }
  if (lines.length === 0) console.log(`equal   ${series.name}`);
  report.note('series', series.name, lines);
}

await compareAll(all, [
  '--runtime-config',
  'coordination.k8s.io/v1beta1=true',
  '--feature-gates',
  'ShardedListAndWatch=true',
]);
await compareAll(ofEveryGate, everyGate);
await compareAll(
  [...clusterTrustBundleSeries, ...podCertificateSeries, ...storageVersionKindSeries],
  ['--runtime-config', isOn(versions), '--feature-gates', isOn(gates), '--enable-admission-plugins', 'NodeRestriction'],
);
// What groups have by further features goes.
await compareAll(
  [...workloadSeries, ...podGroupSeries],
  ['--feature-gates=GenericWorkload=true', '--runtime-config=scheduling.k8s.io/v1alpha2=true'],
);
process.exit(report.finish());
