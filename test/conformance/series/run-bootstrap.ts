// Compares what this server and the reference make of their own accord on empty data, and on data that was changed
// meanwhile (bootstrap-changes.ts): namespaces, the Service kubernetes, RBAC, flow control, APIServices and the rest,
// managed fields included; with each set of flags that switches features:
//   REFERENCE_BIN=FOLDER node --import tsx test/conformance/series/run-bootstrap.ts [TEXT-IN-THE-NAME-OF-A-SET…]
// Needs the bundles of dist (or QUARTERDECK_DIST).
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isObject, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { objectsAt, stringAt } from '#shared/apimachinery/object.ts';
import { differencesFromAll } from '#test/compare/differences.ts';
import { sendJson, type Exchange, type Server } from '#test/compare/exchange.ts';
import { normalForm } from '#test/compare/normal-form.ts';
import { startPair, type Stores } from '#test/compare/pair.ts';
import { Report } from '#test/compare/report.ts';
import { flagSets } from '#test/conformance/gates/flag-sets.ts';
import { referenceProgram, startEtcd } from '#test/reference.ts';
import { changes, type Change } from './bootstrap-changes.ts';

const get = (server: Server, path: string): Promise<Exchange> => sendJson(server, 'GET', path);
const report = new Report();

async function documentAt(server: Server, path: string): Promise<JsonObject> {
  const { body } = await get(server, path);
  return isObject(body) ? body : {};
}

/** Collections of everything that is stored, each in its preferred version. */
async function collections(server: Server): Promise<string[]> {
  const groups = objectsAt(await documentAt(server, '/apis'), 'groups');
  const roots = ['/api/v1', ...groups.map((group) => `/apis/${stringAt(group, 'preferredVersion', 'groupVersion')}`)];
  const lists = await Promise.all(
    roots.map(async (root) => {
      const resources = objectsAt(await documentAt(server, root), 'resources');
      return resources
        .filter((resource) => Array.isArray(resource['verbs']) && resource['verbs'].includes('list'))
        .map((resource) => `${root}/${stringAt(resource, 'name')}`);
    }),
  );
  return lists.flat();
}

/** What is another one on each server. */
const ofOneServer =
  /^(?:client-ca-file|requestheader-client-ca-file|holderIdentity|port|renewTime|acquireTime|targetPort|kubernetes\.io\/peer-advertise-address|kubernetes\.io\/hostname|resourceVersion|uid)$/;

function common(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(common);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => [
      key,
      typeof child !== 'object' && ofOneServer.test(key) ? `<${key}>` : common(child),
    ]),
  );
}

/** The objects of a collection by name; leases of servers are named after a hash. */
async function contents(server: Server, path: string): Promise<ReadonlyMap<string, JsonObject>> {
  const list = await get(server, path);
  const items = isObject(list.body) ? objectsAt(list.body, 'items') : [];
  return new Map(
    items.map((item) => {
      const name = `${stringAt(item, 'metadata', 'namespace')}/${stringAt(item, 'metadata', 'name')}`.replace(
        /apiserver-[a-z2-7]{26}/,
        'apiserver-<hash>',
      );
      return [name, normalForm({ ...list, body: common(item) }, false)];
    }),
  );
}

/** By collection and name, with the lines of the difference. */
const explained: readonly RegExp[] = [
  // The reference empties these when its last server stops (pkg/controlplane/reconcilers/lease.go); here they stay as
  // they were until the next start.
  /^\/apis\/discovery\.k8s\.io\/v1\/endpointslices default\/kubernetes\n {2}body\.metadata\.generation: want \d have \d$/,
  // With StorageVersionAPI servers tell which versions they store (apiserver/pkg/storageversion/manager.go); not made
  // here.
  /^\/apis\/internal\.apiserver\.k8s\.io\/v1alpha1\/storageversions \S+\n {2}missing: /,
  // Until they have, writes fail there (apiserver/pkg/endpoints/filters/storageversion.go), first of all this one
  // (pkg/controlplane/controller/defaultservicecidr).
  /^\/\S+\/events default\/\S+\n {2}missing: .*(?:"message":"The default ServiceCIDR can not be created"|"component":"kubernetes-service-cidr-controller")/,
  // With CoordinatedLeaderElection one server elects for others
  // (pkg/controlplane/controller/leaderelection/run_with_leaderelection.go); not made here.
  /^\/apis\/coordination\.k8s\.io\/v1\/leases kube-system\/leader-election-controller\n {2}missing: /,
];

/** Refused where the feature is off; here the data directory brings it. */
function uidHeaders(flags: readonly string[]): readonly string[] {
  return flags.includes('--feature-gates=AllBeta=false') ? [] : ['--requestheader-uid-headers', 'X-Remote-Uid'];
}

async function compare(
  what: string,
  flags: readonly string[],
  stores: Stores,
  changed: readonly Change[] = [],
): Promise<void> {
  const pair = await startPair({ flags: [...uidHeaders(flags), ...flags], stores });
  try {
    const servers = [pair.ours.server, pair.theirs.server] as const;
    const [ours, theirs] = servers;
    // Both go on for a while after they are ready.
    await sleep(8000);
    for (const path of await collections(theirs)) {
      const [have, want] = await Promise.all([contents(ours, path), contents(theirs, path)]);
      for (const name of new Set([...want.keys(), ...have.keys()])) {
        const [one, other] = [want.get(name), have.get(name)];
        const lines =
          one === undefined || other === undefined
            ? [`${one === undefined ? 'only here' : 'missing'}: ${JSON.stringify(one ?? other)}`]
            : differencesFromAll([one], other);
        const text = [`${path} ${name}`, ...lines].join('\n  ');
        const isExplained = explained.some((form) => form.test(text));
        report.note(what, `${path} ${name}`, lines, isExplained);
      }
    }
    for (const server of servers) for (const change of changed) await make(server, change);
  } finally {
    await pair.close();
  }
}

async function make(server: Server, { method, path, body }: Change): Promise<void> {
  const { status } = await sendJson(
    server,
    method,
    `${path}${path.includes('?') ? '&' : '?'}fieldManager=changer`,
    body,
  );
  if (status >= 300) throw new Error(`${method} ${path}: ${status}`);
}

/** Both servers on empty data, and again on what is left of it behind changes. */
async function compareSet(name: string, flags: readonly string[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bootstrap-'));
  const members = await Promise.all(
    ['ours', 'theirs'].map((of) => startEtcd(referenceProgram('etcd') ?? '', join(folder, of))),
  );
  const [oursUrl = '', theirsUrl = ''] = members.map(({ url }) => url);
  const stores = { ours: oursUrl, theirs: theirsUrl };
  try {
    await compare(`${name}, empty data`, flags, stores, changes);
    await compare(`${name}, data that was changed`, flags, stores);
  } finally {
    await Promise.all(members.map((member) => member.close()));
    rmSync(folder, { recursive: true, force: true });
  }
}

const chosen = process.argv.slice(2);
for (const [name, flags] of Object.entries(flagSets))
  if (chosen.length === 0 || chosen.some((text) => name.includes(text))) await compareSet(name, flags);
process.exit(report.finish());
