import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadAll } from 'js-yaml';
import { loadFacts } from '#shared/api/load-facts.ts';
import { formatGroupVersion, parseGroupVersion } from '#shared/apimachinery/gvk.ts';
import { isObject, type JsonObject } from '#shared/apimachinery/json/json.ts';
import { asKubeObject, type KubeObject } from '#shared/apimachinery/object.ts';
import { differencesFromAll } from '#test/compare/differences.ts';
import { sendJson, type Exchange, type Server } from '#test/compare/exchange.ts';
import { normalForm } from '#test/compare/normal-form.ts';
import type { Report } from '#test/compare/report.ts';
import { seeds } from '#test/conformance/differential/seeds.ts';

/** A kind in all versions that both servers have, and an object to begin with. */
interface Trip {
  readonly group: string;
  readonly resource: string;
  readonly namespace: string;
  readonly versions: readonly string[];
  readonly seed: KubeObject;
}

/**
 * Creates an object of every kind in each of its versions, from what the server shows of the first one in that version,
 * and reads each in all versions; warnings and Tables are compared too.
 *
 * @returns kinds in several versions, or in none that is served by default, that have no object to begin with
 */
export async function compareRoundTrips(report: Report, ours: Server, theirs: Server): Promise<readonly string[]> {
  const both = async (
    method: string,
    path: string,
    body?: JsonObject,
    accept = 'application/json',
  ): Promise<Exchange> => {
    const [have, want] = await Promise.all(
      [ours, theirs].map((server) => sendJson(server, method, path, body, { accept })),
    );
    if (have === undefined || want === undefined) throw new Error('two servers, two answers');
    const differences = differencesFromAll([normalForm(want, true)], normalForm(have, true)).filter(
      (difference) => !isKnown(difference),
    );
    report.note('round trips', `${method} ${path} as ${accept}`, differences);
    return want;
  };
  for (const namespace of new Set(
    trips()
      .map((trip) => trip.namespace)
      .filter((name) => name !== ''),
  )) {
    await both('POST', '/api/v1/namespaces', { metadata: { name: namespace } });
    await both('POST', `/api/v1/namespaces/${namespace}/serviceaccounts`, { metadata: { name: 'default' } });
  }
  for (const trip of trips()) await travel(trip, both);
  // One resource under two names.
  for (const path of ['/api/v1', '/apis/events.k8s.io/v1']) {
    for (const accept of ['application/json', 'application/json;as=Table;g=meta.k8s.io;v=v1'])
      await both('GET', `${path}/namespaces/fuzz-events/events`, undefined, accept);
  }
  const covered = new Set(trips().map(({ group, resource }) => `${group}/${resource}`));
  const left = allResources().filter(
    ({ group, resource, verbs, enabledByDefault }) =>
      !enabledByDefault && verbs.includes('create') && verbs.includes('get') && !covered.has(`${group}/${resource}`),
  );
  return [...new Set(left.map(({ group, resource }) => `${resource}.${group}`))];
}

/**
 * In the forms that are metadata alone the reference has that of its internal type, which leaves to a field what v1 has
 * in this annotation (pkg/apis/apps/v1/conversion.go).
 */
function isKnown(difference: string): boolean {
  return (
    difference.includes('.object.metadata.annotations: want nothing') &&
    difference.includes('deprecated.daemonset.template.generation')
  );
}

async function travel(
  trip: Trip,
  both: (method: string, path: string, body?: JsonObject, accept?: string) => Promise<Exchange>,
): Promise<void> {
  const { seed, versions } = trip;
  const name = seed.metadata.name ?? '';
  const [first = ''] = String(seed.apiVersion).split('/').slice(-1);
  await both('POST', pathIn(trip, first), seed);
  if (seed['status'] !== undefined) await both('PUT', `${pathIn(trip, first)}/${name}/status`, seed);
  for (const version of versions) {
    const shown = await both('GET', `${pathIn(trip, version)}/${name}`);
    await both('GET', `${pathIn(trip, version)}/${name}`, undefined, 'application/json;as=Table;g=meta.k8s.io;v=v1');
    if (version === first || shown.status !== 200 || !isObject(shown.body)) continue;
    const again = renamed(shown.body, name, version);
    await both('POST', pathIn(trip, version), again);
    for (const other of versions) await both('GET', `${pathIn(trip, other)}/${again.metadata.name}`);
    await both('DELETE', `${pathIn(trip, version)}/${again.metadata.name}`);
  }
}

/** What can be created anew of what a server showed. */
function renamed(shown: JsonObject, name: string, version: string): KubeObject {
  const { metadata, status: _, ...rest } = shown;
  const { annotations = {}, labels = {} } = isObject(metadata) ? metadata : {};
  const { clusterIP: _ip, clusterIPs: _ips, ...spec } = isObject(rest['spec']) ? rest['spec'] : {};
  const object: JsonObject = {
    ...rest,
    ...(rest['spec'] === undefined ? {} : { spec }),
    metadata: { name: `${name}-${version}`, annotations, labels },
  };
  return asKubeObject(object);
}

function pathIn({ group, resource, namespace }: Trip, version: string): string {
  return `${group === '' ? '/api' : `/apis/${group}`}/${version}${namespace === '' ? '' : `/namespaces/${namespace}`}/${resource}`;
}

function allResources() {
  return loadFacts()
    .groups()
    .flatMap(({ versions }) => versions)
    .flatMap(({ resources }) => resources);
}

/**
 * Of all kinds but those in one version whose objects would change how the server answers; those in several come last:
 * a ServiceCIDR is another range to take addresses from, which the reference does in random order
 * (pkg/registry/core/service/ipallocator/cidrallocator.go ranges over a map). Events of both groups are one.
 */
function trips(): Trip[] {
  const facts = loadFacts();
  const own = (loadAll(readFileSync(join(import.meta.dirname, 'objects.yaml'), 'utf8')) as JsonObject[]).map(
    asKubeObject,
  );
  const all = [...seeds(), ...own.map((object) => ({ object, dryRun: false }))].sort(
    (a, b) => Number(a.dryRun) - Number(b.dryRun),
  );
  return all.flatMap(({ object: seed, dryRun }) => {
    const { group, version } = parseGroupVersion(String(seed.apiVersion));
    const resource = facts.byKind(group, version, String(seed.kind));
    if (resource === undefined) return [];
    const inGroup = allResources().filter((other) => other.group === group && other.resource === resource.resource);
    if (dryRun && inGroup.length < 2) return [];
    return [
      {
        group,
        resource: resource.resource,
        seed,
        namespace: resource.namespaced ? `fuzz-${resource.resource}` : '',
        versions: inGroup.map((other) => formatGroupVersion(other).split('/').at(-1) ?? ''),
      },
    ];
  });
}
