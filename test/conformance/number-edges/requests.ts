import { loadFacts } from '#shared/api/load-facts.ts';
import { parseGroupVersion } from '#shared/apimachinery/gvk.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { cborOfJson } from '#shared/serializer/cbor/encode.ts';
import { encodeProtobuf } from '#shared/serializer/protobuf/encode.ts';
import { wrapUnknown } from '#shared/serializer/protobuf/envelope.ts';
import { printed, withIntegers } from './edge-values.ts';
import type { Asked } from './exact-answer.ts';
import { mergePatchOf, pointerOf, withValue, type Place } from './places.ts';

const table = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const partial = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io';
const json = 'application/json';
const yaml = 'application/yaml';
const cbor = 'application/cbor';
const protobuf = 'application/vnd.kubernetes.protobuf';

/** The forms that an object is read in. */
export const readForms: readonly string[] = [json, yaml, protobuf, cbor, table, partial];

const dryRun = 'dryRun=All&fieldManager=edges';

/** Where objects of a kind are, and a valid one. */
export interface Subject {
  readonly path: string;
  readonly name: string;
  /** To be created. */
  readonly object: JsonObject;
}

export interface Request {
  readonly what: string;
  readonly asked: Asked;
}

/** A creation with a value in this place, in each wire form that can express it. */
export function creations({ path, object }: Subject, place: Place, value: string): Request[] {
  const text = printed(withValue(object, place.path, value));
  const send = (type: string, body: string | Buffer | undefined): Request[] =>
    body === undefined
      ? []
      : [
          {
            what: `create ${type}`,
            asked: {
              method: 'POST',
              path: `${path}?${dryRun}`,
              headers: { accept: type, 'content-type': type },
              body,
            },
          },
        ];
  return [
    ...send(json, text),
    ...send(yaml, text),
    ...send(cbor, cborBody(text)),
    ...send(protobuf, protobufBody(withValue(object, place.path, value))),
  ];
}

function cborBody(text: string): Buffer | undefined {
  // A large integer in CBOR is a tag with bytes, which no type takes.
  return /[:[,]-?\d{20,}/.test(text) ? undefined : cborOfJson(undefined, Buffer.from(text));
}

function protobufBody(object: JsonObject): Buffer | undefined {
  const { group, version } = parseGroupVersion(String(object['apiVersion']));
  const kind = String(object['kind']);
  const schema = loadFacts().schema(group, version, kind);
  const exact = withIntegers(object);
  if (schema === undefined || exact === undefined) return undefined;
  try {
    return wrapUnknown({ group, version, kind }, encodeProtobuf(schema, exact));
  } catch {
    // A value that the type does not hold.
    return undefined;
  }
}

/** Writes of a stored object that put a value in this place. */
export function writes({ path, name }: Subject, stored: JsonObject, place: Place, value: string): Request[] {
  const object = withValue(stored, place.path, value);
  const isStatus = place.path[0] === 'status';
  const target = `${path}/${name}${isStatus ? '/status' : ''}?${dryRun}`;
  const send = (method: string, type: string, body: unknown, query = '', accept = json): Request => ({
    what: `${method} ${type}`,
    asked: { method, path: target + query, headers: { accept, 'content-type': type }, body: printed(body) },
  });
  const patch = mergePatchOf(object, place.path);
  const { apiVersion, kind, ...rest } = patch;
  return [
    send('PUT', json, object),
    send('PUT', yaml, object, '', yaml),
    send('PUT', json, object, '', protobuf),
    send('PATCH', 'application/merge-patch+json', rest),
    send('PATCH', 'application/strategic-merge-patch+json', rest, '', cbor),
    send('PATCH', 'application/json-patch+json', [{ op: 'add', path: pointerOf(place.path), value }], '', table),
    send(
      'PATCH',
      'application/apply-patch+yaml',
      { apiVersion: apiVersion ?? stored['apiVersion'], kind: kind ?? stored['kind'], metadata: { name }, ...rest },
      '&force=true',
    ),
  ];
}

/** What happens to an object that was created with an edge value, up to its end. */
export function lifeOf({ path, name }: Subject, object: JsonObject): Request[] {
  const item = `${path}/${name}`;
  const send = (what: string, method: string, target: string, type = json, body?: unknown, accept = json): Request => ({
    what,
    asked: {
      method,
      path: target,
      headers: { accept, ...(body === undefined ? {} : { 'content-type': type }) },
      ...(body === undefined ? {} : { body: printed(body) }),
    },
  });
  const labelled = (value: string) => ({ metadata: { labels: { edge: value } } });
  const typed = { apiVersion: object['apiVersion'], kind: object['kind'] };
  return [
    ...readForms.map((form) => send(`read ${form}`, 'GET', item, json, undefined, form)),
    send('list Table', 'GET', `${path}?fieldSelector=metadata.name%3D${name}`, json, undefined, table),
    send('list protobuf', 'GET', `${path}?fieldSelector=metadata.name%3D${name}`, json, undefined, protobuf),
    send('merge patch', 'PATCH', item, 'application/merge-patch+json', labelled('a')),
    send('strategic patch', 'PATCH', item, 'application/strategic-merge-patch+json', labelled('b')),
    send('JSON patch', 'PATCH', item, 'application/json-patch+json', [
      { op: 'add', path: '/metadata/labels', value: { edge: 'c' } },
    ]),
    send('apply', 'PATCH', `${item}?fieldManager=applier&force=true`, 'application/apply-patch+yaml', {
      ...typed,
      metadata: { name, labels: { edge: 'd' }, finalizers: ['example.com/edge'] },
    }),
    send('scale', 'GET', `${item}/scale`),
    send('status', 'PATCH', `${item}/status`, 'application/merge-patch+json', labelled('e')),
    send('evict', 'POST', `${item}/eviction?dryRun=All`, json, {
      apiVersion: 'policy/v1',
      kind: 'Eviction',
      metadata: { name },
    }),
    send('delete in a dry run', 'DELETE', `${item}?dryRun=All`),
    send('delete', 'DELETE', item),
    send('delete within 5 s', 'DELETE', `${item}?gracePeriodSeconds=5`),
    send('delete now', 'DELETE', `${item}?gracePeriodSeconds=0`),
    send('remove finalizers', 'PATCH', item, 'application/merge-patch+json', { metadata: { finalizers: null } }),
    send('read after the end', 'GET', item),
  ];
}
