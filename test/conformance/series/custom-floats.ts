import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import type { Request, Series } from './series.ts';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const ruled = (schema: JsonObject, rule: string): JsonObject => ({ ...schema, 'x-kubernetes-validations': [{ rule }] });
const whole = { type: 'integer' };

/** A schema, and a value of it with a number in the place of `N`. */
const fields: Readonly<Record<string, readonly [schema: JsonObject, value: string]>> = {
  plain: [whole, 'N'],
  number: [ruled({ type: 'number' }, 'self >= 1.0'), 'N'],
  ruled: [ruled(whole, 'self >= 1'), 'N'],
  either: [ruled({ 'x-kubernetes-int-or-string': true }, 'type(self) == int'), 'N'],
  list: [ruled({ type: 'array', items: whole }, 'self.all(x, x >= 1)'), '[1, N]'],
  set: [{ type: 'array', items: { type: 'number' }, 'x-kubernetes-list-type': 'set' }, '[N, 1]'],
  map: [
    {
      type: 'array',
      items: { type: 'object', required: ['k'], properties: { k: whole } },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['k'],
    },
    '[{"k": 1}, {"k": N}]',
  ],
  entries: [ruled({ type: 'object', additionalProperties: whole }, 'self.all(k, self[k] >= 1)'), '{"a": N}'],
  object: [ruled({ type: 'object', properties: { a: whole, b: whole } }, 'self.a == self.b'), '{"a": 1, "b": N}'],
  there: [ruled({ type: 'object', properties: { a: whole } }, 'has(self.a)'), '{"a": N}'],
  kept: [ruled(whole, 'self == oldSelf'), 'N'],
  free: [{ type: 'object', 'x-kubernetes-preserve-unknown-fields': true }, '{"a": N}'],
};

/** Go keeps those with a point or an exponent as floats until they are stored, whole or not. */
const numbers = ['1', '1.0', '1e0', '10e-1', '1.0000000000000000001', '1.5'];

function requests(run: string): readonly Request[] {
  const group = `${run}.example.com`;
  const properties = Object.fromEntries(Object.entries(fields).map(([name, [schema]]) => [name, schema]));
  const all = `/apis/${group}/v1/namespaces/default/floats`;
  const object = (spec: string, name = 'b'): string =>
    `{"apiVersion":"${group}/v1","kind":"Float","metadata":{"name":"${name}"},"spec":${spec}}`;
  const patch = (kind: string, body: string): Request => ({
    method: 'PATCH',
    path: `${all}/a?dryRun=All&fieldManager=m`,
    headers: { 'content-type': `application/${kind}` },
    body,
  });
  return [
    {
      method: 'POST',
      path: definitions,
      body: {
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'CustomResourceDefinition',
        metadata: { name: `floats.${group}` },
        spec: {
          group,
          scope: 'Namespaced',
          names: { plural: 'floats', singular: 'float', kind: 'Float', listKind: 'FloatList' },
          versions: [
            {
              name: 'v1',
              served: true,
              storage: true,
              schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties } } } },
            },
          ],
        },
      },
    },
    {
      method: 'POST',
      path: all,
      body: object('{"plain":1.0,"number":1.0,"set":[1.0],"kept":1,"free":{"a":1.0}}', 'a'),
      until: ({ status }) => status !== 404,
    },
    ...numbers.flatMap((number) =>
      Object.entries(fields).map(([name, [, value]]): Request => ({
        method: 'POST',
        path: `${all}?dryRun=All`,
        body: object(`{"${name}":${value.replace('N', number)}}`),
      })),
    ),
    ...['1', '1.0'].flatMap((number) => [
      patch('merge-patch+json', `{"spec":{"kept":${number}}}`),
      patch('merge-patch+json', `{"spec":{"plain":${number}}}`),
      patch('json-patch+json', `[{"op":"replace","path":"/spec/kept","value":${number}}]`),
      patch('apply-patch+yaml', object(`{"kept":${number},"plain":${number}}`, 'a')),
      {
        method: 'POST',
        path: `${all}?dryRun=All`,
        headers: { 'content-type': 'application/yaml' },
        body: `apiVersion: ${group}/v1\nkind: Float\nmetadata: {name: b}\nspec: {ruled: ${number}, list: [${number}]}\n`,
      },
    ]),
    { method: 'GET', path: `${all}/a` },
  ];
}

export const customFloatSeries: readonly Series[] = [
  { name: 'custom resources: integers that are written as floats', requests },
];
