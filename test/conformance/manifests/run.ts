import { parseArgs } from 'node:util';
// Plays the lives of upstream's manifests on this server and on the reference, and compares all answers:
//   REFERENCE_BIN=FOLDER node --import tsx test/conformance/manifests/run.ts SOURCE [--seeds 1,2,3] [--only 'hack/testdata']
// SOURCE is a copy of the module k8s.io/kubernetes.
import fc from 'fast-check';
import { stringAt } from '#shared/apimachinery/object.ts';
import type { Server } from '#test/compare/exchange.ts';
import { startPair } from '#test/compare/pair.ts';
import { Comparison } from '#test/conformance/differential/comparison.ts';
import { prepare } from '#test/conformance/differential/prepare.ts';
import { lives } from '#test/conformance/differential/scenario.ts';
import { manifestsIn, type Manifest } from './manifests.ts';

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: { seeds: { type: 'string', default: '1,2,3' }, only: { type: 'string', default: '' } },
});
const [source] = positionals;
if (source === undefined) throw new Error('The copy of the module k8s.io/kubernetes is to be named.');

/** The service accounts of pods, without which they are refused. */
async function createServiceAccounts(server: Server, manifests: readonly Manifest[]): Promise<void> {
  const names = manifests
    .filter(({ seed }) => seed.object.kind === 'Pod')
    .map(({ seed }) => `${seed.namespace}/${stringAt(seed.object, 'spec', 'serviceAccountName')}`);
  for (const name of new Set(names.filter((each) => !each.endsWith('/')))) {
    const [namespace, account] = name.split('/');
    await server.send({
      method: 'POST',
      path: `/api/v1/namespaces/${namespace}/serviceaccounts`,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ metadata: { name: account } }),
    });
  }
}

/** Some manifests are of versions that are served with a flag only: the reference says which. */
async function servedManifests(reference: Server, all: readonly Manifest[]): Promise<readonly Manifest[]> {
  const statuses = new Map<string, number>();
  for (const path of new Set(all.map(({ seed }) => seed.path)))
    statuses.set(
      path,
      (await reference.send({ method: 'GET', path: `${path}?limit=1`, headers: {}, body: undefined })).status,
    );
  return all.filter(({ seed }) => ![404, 405].includes(statuses.get(seed.path) ?? 0));
}

const all = manifestsIn(source).filter(({ file }) => file.includes(flags.only));
const pair = await startPair();
const [reference, ours] = [pair.theirs.server, pair.ours.server];
const manifests = await servedManifests(reference, all);
console.log(
  `${manifests.length} objects of ${new Set(manifests.map(({ file }) => file)).size} files; ${all.length - manifests.length} of versions that are not served`,
);
await Promise.all(
  [reference, ours].map(async (server) => {
    await prepare(
      server,
      manifests.map(({ seed }) => seed),
    );
    await createServiceAccounts(server, manifests);
  }),
);
const comparison = new Comparison(reference, ours, { managedFields: true, say: console.log });
for (const seed of flags.seeds.split(',').map(Number)) {
  const queue = manifests.entries();
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      for (const [at, manifest] of queue) {
        const [steps] = fc.sample(lives(manifest.seed.subresources), { numRuns: 1, seed: seed * 1_000_000 + at });
        await comparison.compare({ seed: at, steps: steps ?? [] }, manifest.seed);
      }
    }),
  );
  comparison.sayTotals();
}
await pair.close();
process.exitCode = comparison.kinds > 0 ? 1 : 0;
process.exit();
