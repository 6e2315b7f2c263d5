import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import type { Request, Series } from './series.ts';

const maps = '/api/v1/namespaces/default/configmaps';
const deployments = '/apis/apps/v1/namespaces/default/deployments';

const owner = (uid: string, more: JsonObject): JsonValue => ({
  apiVersion: 'v1',
  kind: 'Pod',
  name: 'p',
  uid,
  ...more,
});
const containers = (...items: readonly JsonObject[]): JsonObject => ({
  spec: { template: { spec: { containers: [...items] } } },
});

/** Patches of a ConfigMap with one owner of uid `u`; each is refused, with what is left of the patch in the text. */
const ofMap: readonly JsonObject[] = [
  { metadata: { ownerReferences: [owner('u', { kind: { a: { b: 'c' } } }), owner('u', { kind: { a: 'b' } })] } },
  {
    metadata: {
      ownerReferences: [
        owner('u', { kind: { a: { b: 'c' } } }),
        owner('u', { kind: { a: { d: 'e' } } }),
        owner('u', { kind: { a: { b: null } } }),
      ],
    },
  },
  { metadata: { ownerReferences: [owner('v', { kind: { a: 'b' } }), owner('v', { kind: { c: 'd' } })] } },
  {
    metadata: {
      ownerReferences: [owner('v', { kind: 'Pod' }), owner('v', { kind: { c: 'd' } }), owner('v', { kind: 1 })],
    },
  },
  { metadata: { ownerReferences: [owner('u', { kind: ['a'] }), owner('u', { kind: ['b'] })] } },
  {
    metadata: {
      labels: { a: { b: null, c: 'd' } },
      ownerReferences: [owner('u', { controller: 'yes' }), { $patch: 'delete', uid: 'u' }],
    },
  },
  { metadata: { name: { a: 'b' }, $retainKeys: ['name'] } },
  // What carries a directive is left out, without the nulls that it held.
  {
    metadata: {
      name: { a: null, $patch: 'odd', b: { c: null, d: [{ e: null }] } },
      ownerReferences: [owner('u', { controller: 'yes' })],
    },
    data: { a: [{ $patch: 'delete', b: null }] },
  },
];

const ofDeployment: readonly JsonObject[] = [
  containers({ name: 'a', image: { x: 'y' } }, { name: 'a', image: { z: null, w: 'v' } }),
  containers(
    { name: 'new', image: { x: 'y' } },
    { name: 'new', image: 'i', env: [{ name: 'E', value: 'one' }] },
    { name: 'new', env: [{ name: 'E', value: 'two' }] },
  ),
  containers(
    { name: 'new', env: [{ name: 'E', value: { a: 'b' } }] },
    { name: 'new', env: [{ name: 'E', value: { c: 'd' } }] },
  ),
  containers(
    { name: 'a', resources: { limits: 1 } },
    { name: 'a', resources: { limits: { cpu: '1' } } },
    { name: 'a', resources: { limits: { memory: {} } } },
  ),
  {
    spec: {
      template: {
        spec: {
          '$setElementOrder/containers': [{ name: 'a' }, { name: 'b' }],
          containers: [
            { name: 'a', image: { x: 'y' } },
            { name: 'b', image: 1 },
          ],
        },
      },
    },
  },
];

function requests(run: string): readonly Request[] {
  const container = { name: 'a', image: 'i' };
  const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [container] } };
  const patch =
    (path: string) =>
    (body: JsonObject): Request => ({
      method: 'PATCH',
      path: `${path}/${run}?fieldManager=two`,
      body,
      headers: { 'content-type': 'application/strategic-merge-patch+json' },
    });
  return [
    {
      method: 'POST',
      path: maps,
      body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: run, ownerReferences: [owner('u', {})] } },
    },
    {
      method: 'POST',
      path: deployments,
      body: {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: run },
        spec: { selector: { matchLabels: { a: 'b' } }, template },
      },
    },
    ...ofMap.map(patch(maps)),
    ...ofDeployment.map(patch(deployments)),
  ];
}

export const strategicPatchTextSeries: readonly Series[] = [
  { name: 'strategic patches that are used up, in texts of errors', requests },
];
