import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import type { Exchange } from '#test/compare/exchange.ts';
import { apply, get, type Request, type Series } from './series.ts';

/** Definitions that are deleted with policies for dependents. */
function definitions(run: string): readonly Request[] {
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  return [
    { propagationPolicy: 'Orphan' },
    { propagationPolicy: 'Foreground' },
    { propagationPolicy: 'Background' },
    { orphanDependents: true },
    { orphanDependents: false },
    {},
    { propagationPolicy: 'Odd' },
  ].flatMap((options, index): Request[] => {
    const plural = `${run}x${index}s`;
    const name = `${plural}.example.com`;
    const body = {
      metadata: { name },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { plural, kind: `K${run}x${index}` },
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
      },
    };
    const item = `/apis/example.com/v1/namespaces/default/${plural}`;
    return [
      { method: 'POST', path, body },
      { ...get(item), until: ({ status }) => status === 200 },
      {
        method: 'POST',
        path: item,
        body: { apiVersion: 'example.com/v1', kind: `K${run}x${index}`, metadata: { name: 'a' } },
      },
      { method: 'DELETE', path: `${item}/a`, body: { ...options, dryRun: ['All'] } },
      { method: 'DELETE', path: `${path}/${name}`, body: { ...options, dryRun: ['All'] } },
      { method: 'DELETE', path: `${path}/${name}`, body: options },
      { ...get(`${path}/${name}`), until: ({ status }) => status === 404 },
    ];
  });
}

/** A definition whose names are taken is never established: what is told of its version. */
function unestablished(run: string): readonly Request[] {
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  const group = `${run}.example.com`;
  const definition = (plural: string, version: string): JsonObject => ({
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural, kind: 'Odd', listKind: `${plural}List` },
      versions: [{ name: version, served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
    },
  });
  const services = '/apis/apiregistration.k8s.io/v1/apiservices';
  const isThere = ({ status }: Exchange): boolean => status === 200;
  const judged =
    (word: string) =>
    ({ body }: Exchange): boolean =>
      JSON.stringify(body).includes(word);
  return [
    { method: 'POST', path, body: definition('firsts', 'v1') },
    { ...get(`${path}/firsts.${group}`), until: judged('InitialNamesAccepted') },
    { ...get(`${services}/v1.${group}`), until: isThere },
    { method: 'POST', path, body: definition('seconds', 'v2') },
    { ...get(`${path}/seconds.${group}`), until: judged('KindConflict') },
    { ...get(`${services}/v2.${group}`), until: isThere },
    get(`/apis/${group}`),
    get(`/apis/${group}/v1`),
    get(`/apis/${group}/v2`),
    get(`/apis/${group}/v2/namespaces/default/seconds`),
    get(`/apis/${group}/v2/odds`),
    { method: 'DELETE', path: `${path}/seconds.${group}` },
    { ...get(`${services}/v2.${group}`), until: ({ status }) => status === 404 },
    get(`/apis/${group}`),
  ];
}

const collection = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

function judgedAs(reason: string): Pick<Request, 'until'> {
  return { until: ({ body }) => JSON.stringify(body).includes(reason) };
}

/** Names that a change of one definition frees, for another one that waits for them. */
function freedNames(run: string): readonly Request[] {
  return [
    [{ shortNames: ['x', 'y'] }, { shortNames: ['y'] }, 'ShortNamesConflict'],
    [{ singular: 'one' }, { singular: 'other' }, 'SingularConflict'],
    [{ listKind: 'Things' }, { listKind: 'OtherThings' }, 'ListKindConflict'],
    [{ singular: 'one', shortNames: ['x'] }, { shortNames: null }, 'Conflict'],
    [{ categories: ['all'] }, { categories: null }, 'InitialNamesAccepted'],
  ].flatMap(([held, later, conflict], index): Request[] => {
    const group = `${run}f${index}.example.com`;
    const definition = (plural: string, kind: string): JsonObject => ({
      metadata: { name: `${plural}.${group}` },
      spec: {
        group,
        scope: 'Namespaced',
        names: { plural, kind, ...(held as JsonObject) },
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
      },
    });
    const [first, second] = [`${collection}/firsts.${group}`, `${collection}/seconds.${group}`];
    const stillHeld = index === 3 ? 'SingularConflict' : 'InitialNamesAccepted';
    return [
      { method: 'POST', path: collection, body: definition('firsts', 'First') },
      { ...get(first), ...judgedAs('InitialNamesAccepted') },
      { method: 'POST', path: collection, body: definition('seconds', 'Second') },
      { ...get(second), ...judgedAs(conflict as string) },
      { method: 'PATCH', path: first, body: { spec: { names: later as JsonObject } } },
      { ...get(second), ...judgedAs(stillHeld) },
      { method: 'DELETE', path: first },
      { ...get(second), ...judgedAs('InitialNamesAccepted') },
      { method: 'DELETE', path: second },
    ];
  });
}

/** Discovery, documents and requests while a definition waits for the end of its objects. */
function terminating(run: string): readonly Request[] {
  const group = `${run}t.example.com`;
  const path = `${collection}/things.${group}`;
  const things = `/apis/${group}/v1/namespaces/default/things`;
  const version = (name: string, storage: boolean): JsonObject => ({
    name,
    served: true,
    storage,
    schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
    subresources: { status: {}, scale: { specReplicasPath: '.spec.n', statusReplicasPath: '.status.n' } },
  });
  const thing = (name: string): JsonObject => ({
    apiVersion: `${group}/v1`,
    kind: 'Thing',
    metadata: { name, finalizers: ['example.com/stays'] },
    spec: { n: 1 },
  });
  return [
    {
      method: 'POST',
      path: collection,
      body: {
        metadata: { name: `things.${group}` },
        spec: {
          group,
          scope: 'Namespaced',
          names: { plural: 'things', kind: 'Thing' },
          versions: [version('v1', true), version('v2', false)],
        },
      },
    },
    { ...get(path), ...judgedAs('InitialNamesAccepted') },
    { ...get(`/apis/${group}/v1`), until: ({ status }) => status === 200 },
    { method: 'POST', path: things, body: thing('a') },
    { method: 'DELETE', path },
    { ...get(path), ...judgedAs('InstanceDeletionInProgress') },
    { ...get(`/apis/${group}/v1`), until: ({ body }) => !JSON.stringify(body).includes('create') },
    { ...get(`/apis/${group}/v2`), until: ({ body }) => !JSON.stringify(body).includes('create') },
    get(`/apis/${group}`),
    { method: 'POST', path: things, body: thing('b') },
    { method: 'PUT', path: `${things}/b`, body: thing('b') },
    apply(`${things}/b`, 'm', thing('b')),
    { method: 'PATCH', path: `${things}/a`, body: { spec: { n: 2 } } },
    { method: 'PATCH', path: `${things}/a/status`, body: { status: { n: 2 } } },
    { method: 'PATCH', path: `${things}/a/scale`, body: { spec: { replicas: 3 } } },
    get(`${things}/a`),
    { method: 'PATCH', path, body: { metadata: { labels: { a: 'b' } } } },
    { method: 'PATCH', path: `${things}/a`, body: { metadata: { finalizers: null } } },
    { ...get(path), until: ({ status }) => status === 404 },
  ];
}

export const definitionEndingSeries: readonly Series[] = [
  { name: 'details: definitions deleted with policies', requests: definitions },
  { name: 'details: definitions that are not established', requests: unestablished },
  { name: 'details: names that a change of a definition frees', requests: freedNames },
  { name: 'details: definitions that terminate', requests: terminating },
];
