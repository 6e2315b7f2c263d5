import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import { apply, type Request, type Series } from './series.ts';

const claims = '/apis/resource.k8s.io/v1/namespaces/default/resourceclaims';
const classes = '/apis/resource.k8s.io/v1/deviceclasses';
const revisions = '/apis/apps/v1/namespaces/default/controllerrevisions';

const sorted: JsonObject = { apiVersion: 'd.example.com/v1', kind: 'K', z: { a: 1, b: [{ c: 1, d: null }] } };
const unsorted: JsonObject = { kind: 'K', z: { b: [{ d: null, c: 1 }], a: 1 }, apiVersion: 'd.example.com/v1' };

/** What may be sent of an object that holds `content`, after it was made with `before`. */
function writes(path: string, object: (content: JsonObject) => JsonObject, before: JsonObject): readonly Request[] {
  const collection = path.slice(0, path.lastIndexOf('/'));
  const patch = (type: string, body: JsonValue, manager: string): Request => ({
    method: 'PATCH',
    path: `${path}?fieldManager=${manager}`,
    headers: { 'content-type': `application/${type}+json` },
    body,
  });
  return [
    { method: 'POST', path: `${collection}?fieldManager=one`, body: object(before) },
    { method: 'PUT', path: `${path}?fieldManager=two`, body: object(before) },
    { method: 'PUT', path: `${path}?fieldManager=three`, body: object(sorted) },
    { method: 'PUT', path: `${path}?fieldManager=four`, body: object(unsorted) },
    patch('strategic-merge-patch', {}, 'five'),
    { method: 'PUT', path: `${path}?fieldManager=six`, body: object(unsorted) },
    patch('strategic-merge-patch', { metadata: { labels: { strategic: 'a' } } }, 'seven'),
    patch('merge-patch', {}, 'eight'),
    patch('merge-patch', { metadata: { labels: { merged: 'a' } } }, 'nine'),
    patch('json-patch', [], 'ten'),
    patch('json-patch', [{ op: 'add', path: '/metadata/annotations', value: { a: 'b' } }], 'eleven'),
    apply(path, 'one', object(before), '&force=true'),
    apply(path, 'three', object(sorted), '&force=true'),
    apply(path, 'three', object(unsorted), '&force=true'),
    { method: 'GET', path },
    { method: 'DELETE', path },
  ];
}

function requests(before: JsonObject) {
  return (run: string): readonly Request[] => {
    const config = (content: JsonObject): JsonValue => [{ opaque: { driver: 'd.example.com', parameters: content } }];
    const claim = (content: JsonObject): JsonObject => ({
      apiVersion: 'resource.k8s.io/v1',
      kind: 'ResourceClaim',
      metadata: { name: run },
      spec: {
        devices: { requests: [{ name: 'a', exactly: { deviceClassName: 'c.example.com' } }], config: config(content) },
      },
    });
    const deviceClass = (content: JsonObject): JsonObject => ({
      apiVersion: 'resource.k8s.io/v1',
      kind: 'DeviceClass',
      metadata: { name: `${run}.example.com` },
      spec: { config: config(content) },
    });
    const revision = (content: JsonObject): JsonObject => ({
      apiVersion: 'apps/v1',
      kind: 'ControllerRevision',
      metadata: { name: run },
      revision: 1,
      data: content,
    });
    return [
      ...writes(`${claims}/${run}`, claim, before),
      ...writes(`${classes}/${run}.example.com`, deviceClass, before),
      ...writes(`${revisions}/${run}`, revision, before),
    ];
  };
}

/** JSON that built-in types keep as it came, in the order of its keys, which patches and applies put in order. */
export const rawJsonSeries: readonly Series[] = [
  { name: 'JSON within built-in types, its keys in order', requests: requests(sorted) },
  { name: 'JSON within built-in types, its keys in no order', requests: requests(unsorted) },
];
