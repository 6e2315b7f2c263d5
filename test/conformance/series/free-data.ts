import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import { apply, type Request, type Series } from './series.ts';

const revisions = '/apis/apps/v1/namespaces/default/controllerrevisions';
const claims = '/apis/resource.k8s.io/v1/namespaces/default/resourceclaims';
const jsonPatch = { 'content-type': 'application/json-patch+json' };
const strategicPatch = { 'content-type': 'application/strategic-merge-patch+json' };

const datas: readonly JsonValue[] = [
  { a: [1, null, { b: null }] },
  { a: { b: [null] }, n: null },
  { a: null },
  { a: null, b: { c: null, d: [null, { e: null }] } },
  { a: 1 },
  {},
  [null],
  [],
  'x',
  1,
  null,
  { a: { b: null } },
];
const patches: readonly JsonValue[] = [
  { a: null },
  { b: null },
  { a: { b: null } },
  { n: { m: null } },
  { n: [null, { o: null }] },
  null,
  {},
  { a: 2 },
  [{ a: null }],
  'x',
  5,
  { a: [null, 1, { o: null }] },
  [null],
  { a: { b: [null, { c: null }] } },
  { a: { b: { c: { d: null } } } },
  { a: { b: 1, c: null } },
];

/** Nulls in data that is as its writer likes it, under each kind of patch. */
function revisionsOf(run: string): readonly Request[] {
  return datas.flatMap((data, index): Request[] => {
    const name = `${run}-${index}`;
    const at = `${revisions}/${name}`;
    const body: JsonObject = {
      apiVersion: 'apps/v1',
      kind: 'ControllerRevision',
      metadata: { name },
      data,
      revision: 1,
    };
    return [
      { method: 'POST', path: revisions, body },
      { method: 'GET', path: at },
      ...patches.flatMap((patch): Request[] => [
        { method: 'PATCH', path: `${at}?dryRun=All`, body: { data: patch } },
        { method: 'PATCH', path: `${at}?dryRun=All`, body: { data: patch }, headers: strategicPatch },
        {
          method: 'PATCH',
          path: `${at}?dryRun=All`,
          body: [{ op: 'replace', path: '/data', value: patch }],
          headers: jsonPatch,
        },
        { method: 'PUT', path: `${at}?dryRun=All`, body: { ...body, data: patch } },
        apply(at, 'applier', { ...body, data: patch }, '&force=true&dryRun=All'),
      ]),
      { method: 'PATCH', path: at, body: { metadata: { labels: { a: 'b' } } } },
      { method: 'PATCH', path: at, body: { revision: 2, data: { a: null } } },
      { method: 'GET', path: at },
    ];
  });
}

/** The parameters of drivers, which may change. */
function parameters(run: string): readonly Request[] {
  return datas.flatMap((data, index): Request[] => {
    const name = `${run}-${index}`;
    const spec = (parameters: JsonValue): JsonObject => ({
      devices: {
        requests: [{ name: 'one', exactly: { deviceClassName: 'a' } }],
        config: [{ opaque: { driver: 'a.example.com', parameters } }],
      },
    });
    const body: JsonObject = {
      apiVersion: 'resource.k8s.io/v1',
      kind: 'ResourceClaim',
      metadata: { name },
      spec: spec(data),
    };
    const deviceClass = (config: JsonValue): JsonObject => ({
      apiVersion: 'resource.k8s.io/v1',
      kind: 'DeviceClass',
      metadata: { name },
      spec: { config },
    });
    const classes = '/apis/resource.k8s.io/v1/deviceclasses';
    const status = (value: JsonValue): JsonObject => ({
      devices: [{ driver: 'a.example.com', pool: 'p', device: 'd', data: value }],
      allocation: { devices: { results: [{ request: 'one', driver: 'a.example.com', pool: 'p', device: 'd' }] } },
    });
    return [
      { method: 'POST', path: claims, body },
      { method: 'POST', path: classes, body: deviceClass([{ opaque: { driver: 'a.example.com', parameters: data } }]) },
      { method: 'PATCH', path: `${claims}/${name}/status`, body: { status: status(data) } },
      { method: 'GET', path: `${claims}/${name}` },
      ...patches.flatMap((patch): Request[] => [
        { method: 'PATCH', path: `${claims}/${name}?dryRun=All`, body: { spec: spec(patch) } },
        {
          method: 'PATCH',
          path: `${classes}/${name}?dryRun=All`,
          body: { spec: { config: [{ opaque: { driver: 'a.example.com', parameters: patch } }] } },
        },
        { method: 'PATCH', path: `${claims}/${name}/status?dryRun=All`, body: { status: status(patch) } },
      ]),
      { method: 'DELETE', path: `${classes}/${name}` },
    ];
  });
}

/** Definitions hold JSON of users in their schemas. */
function defaultsInSchemas(run: string): readonly Request[] {
  const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  const name = `${run}s.${run}.example.com`;
  const schema = (more: JsonObject): JsonObject => ({
    type: 'object',
    properties: { spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, ...more } },
  });
  const versions = (more: JsonObject): JsonValue => [
    { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema(more) } },
  ];
  return [
    {
      method: 'POST',
      path: definitions,
      body: {
        metadata: { name },
        spec: {
          group: `${run}.example.com`,
          scope: 'Namespaced',
          names: { plural: `${run}s`, kind: `K${run}` },
          versions: versions({ default: { a: null, b: [null, { c: null }] }, nullable: true }),
        },
      },
    },
    // Controllers write the status in their own time.
    {
      method: 'GET',
      path: `${definitions}/${name}`,
      until: ({ body }) => JSON.stringify(body).includes('"InitialNamesAccepted"'),
    },
    ...[
      { default: { a: null } },
      { default: null },
      { default: { a: { b: null } }, example: { x: null } },
      { enum: [null, { a: null }] },
    ].map((more): Request => ({
      method: 'PATCH',
      path: `${definitions}/${name}?dryRun=All`,
      body: { spec: { versions: versions(more) } },
    })),
  ];
}

/** What becomes of null in data that has no type. */
export const freeDataSeries: readonly Series[] = [
  { name: 'free data: nulls in ControllerRevisions', requests: revisionsOf },
  { name: 'free data: nulls in the parameters of drivers', requests: parameters },
  { name: 'free data: nulls in schemas', requests: defaultsInSchemas },
];
