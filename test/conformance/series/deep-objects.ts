import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { apply, type Request, type Series } from './series.ts';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const revisions = '/apis/apps/v1/namespaces/default/controllerrevisions';

function definition(group: string): JsonObject {
  const schema = {
    openAPIV3Schema: {
      type: 'object',
      properties: {
        spec: {
          type: 'object',
          properties: { size: { type: 'integer' }, any: { 'x-kubernetes-preserve-unknown-fields': true } },
        },
      },
    },
  };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `things.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' },
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  };
}

const objects = (depth: number, leaf = '1'): string => `${'{"a":'.repeat(depth)}${leaf}${'}'.repeat(depth)}`;
const lists = (depth: number, leaf = '1'): string => `${'['.repeat(depth)}${leaf}${']'.repeat(depth)}`;

/** Those of 10,000 levels are read in an end-to-end test; here the answers must fit into the stack of this program. */
const taken = 900;
const yaml = { 'content-type': 'application/yaml' };
const jsonPatch = { 'content-type': 'application/json-patch+json' };

/** Applies and merges of thousands of objects within each other take the reference more than its minute. */
function customRequests(run: string, nested: (depth: number, leaf?: string) => string): readonly Request[] {
  const group = `${run}.example.com`;
  const things = `/apis/${group}/v1/namespaces/default/things`;
  const thing = (name: string, any: string): string =>
    `{"apiVersion":"${group}/v1","kind":"Thing","metadata":{"name":"${name}"},"spec":{"any":${any},"size":1}}`;
  const applied = (name: string, any: string, query = ''): Request => ({
    ...apply(`${things}/${name}`, 'one', {}, query),
    body: thing(name, any),
  });
  const value = nested(taken);
  return [
    { method: 'POST', path: definitions, body: definition(group) },
    { method: 'POST', path: things, body: thing('a', value), until: ({ status }) => status !== 404 },
    { method: 'GET', path: `${things}/a`, headers: { accept: 'application/yaml' } },
    { method: 'PATCH', path: `${things}/a`, body: `{"spec":{"any":${nested(taken, '2')}}}` },
    {
      method: 'PATCH',
      path: `${things}/a`,
      headers: jsonPatch,
      body: `[{"op":"test","path":"/spec/any","value":${nested(taken, '2')}},{"op":"add","path":"/spec/size","value":3}]`,
    },
    applied('a', value),
    applied('a', value, '&force=true'),
    applied('b', value),
    { method: 'POST', path: things, headers: yaml, body: thing('c', value) },
    { method: 'POST', path: `${things}?fieldValidation=Strict`, body: thing('d', nested(taken, '{"x":1,"x":2}')) },
    { method: 'POST', path: things, body: thing('e', nested(9_999)) },
    { method: 'POST', path: things, headers: yaml, body: thing('e', nested(9_999)) },
    applied('e', nested(9_999)),
    {
      method: 'POST',
      path: things,
      headers: yaml,
      body: `apiVersion: ${group}/v1\nkind: Thing\nmetadata: {name: e}\nspec:\n  any:\n  ${'- '.repeat(6_000)}${nested(6_000)}\n`,
    },
    {
      method: 'PATCH',
      path: `${things}/c`,
      headers: jsonPatch,
      body: `[{"op":"add","path":"/spec/any${'/0'.repeat(4)}","value":${nested(9_997)}}]`,
    },
    {
      method: 'PATCH',
      path: `${things}/c`,
      headers: jsonPatch,
      body: `[{"op":"add","path":"/spec/more","value":{"a":{"a":{"a":1}}}},{"op":"add","path":"/spec/more/a/a/a","value":${nested(9_997)}}]`,
    },
    {
      method: 'PATCH',
      path: `${things}/c`,
      headers: jsonPatch,
      body: `[{"op":"add","path":"/spec/more","value":{"a":1}},{"op":"add","path":"/spec/more/a","value":${nested(9_998)}}]`,
    },
    ...hugeNumbers(things, thing, applied),
    { method: 'DELETE', path: `${definitions}/things.${group}` },
  ];
}

/** What JSON.parse would make an infinity of; in YAML, which an apply is, it is a text. */
function hugeNumbers(
  things: string,
  thing: (name: string, any: string) => string,
  applied: (name: string, any: string) => Request,
): readonly Request[] {
  return ['1e400', '-1e400', '1e308']
    .flatMap((number, index): Request[] => [
      { method: 'POST', path: things, body: thing(`n${index}`, number) },
      { method: 'POST', path: things, headers: yaml, body: thing(`y${index}`, number) },
      applied(`a${index}`, number),
      { method: 'PATCH', path: `${things}/a${index}`, body: `{"spec":{"any":${number}}}` },
      {
        method: 'PATCH',
        path: `${things}/a${index}`,
        headers: jsonPatch,
        body: `[{"op":"add","path":"/spec/any","value":${number}}]`,
      },
      { method: 'GET', path: `${things}/a${index}` },
    ])
    .concat(['"\\ud83d\\ude00"', '"\\/"', '"\u007f"'].map((text, index) => applied(`t${index}`, text)));
}

/** JSON that a built-in type holds as it is. */
function builtInRequests(run: string): readonly Request[] {
  const revision = (name: string, data: string): string =>
    `{"apiVersion":"apps/v1","kind":"ControllerRevision","metadata":{"name":"${name}"},"revision":1,"data":${data}}`;
  return [
    { method: 'POST', path: revisions, body: revision(run, objects(taken)) },
    { method: 'PATCH', path: `${revisions}/${run}`, body: { revision: 2 } },
    {
      method: 'PATCH',
      path: `${revisions}/${run}`,
      headers: { 'content-type': 'application/strategic-merge-patch+json' },
      body: `{"data":${objects(taken)}}`,
    },
    { ...apply(`${revisions}/${run}`, 'one', {}, '&force=true'), body: revision(run, objects(taken)) },
    { method: 'GET', path: `${revisions}/${run}`, headers: { accept: 'application/yaml' } },
    { method: 'POST', path: revisions, body: revision(`${run}-b`, objects(10_000)) },
    { method: 'POST', path: revisions, headers: yaml, body: revision(`${run}-b`, objects(10_000)) },
    { method: 'DELETE', path: `${revisions}/${run}` },
  ];
}

export const deepObjectSeries: readonly Series[] = [
  { name: 'deep objects: maps within each other', requests: (run) => customRequests(run, objects) },
  { name: 'deep objects: lists within each other', requests: (run) => customRequests(run, lists) },
  { name: 'deep objects: JSON in built-in types', requests: builtInRequests },
];
