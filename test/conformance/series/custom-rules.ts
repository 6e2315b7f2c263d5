import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import type { Request, Series } from './series.ts';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const text = { type: 'string', maxLength: 20 };
const count = { type: 'integer' };
const rules = (...all: JsonObject[]): JsonObject => ({ 'x-kubernetes-validations': all });

function definition(run: string, properties: JsonObject, root: JsonObject = {}, name = 'rulings'): JsonObject {
  const schema = { openAPIV3Schema: { type: 'object', properties, ...root } };
  const singular = name.slice(0, -1);
  const kind = `${singular.charAt(0).toUpperCase()}${singular.slice(1)}`;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${name}.${run}.example.com` },
    spec: {
      group: `${run}.example.com`,
      scope: 'Namespaced',
      names: { plural: name, singular, kind, listKind: `${kind}List` },
      versions: [{ name: 'v1', served: true, storage: true, schema, subresources: { status: {} } }],
    },
  };
}

/** Definitions that are refused, for their rules or beside them. */
function refused(run: string): readonly Request[] {
  const spec = (schema: JsonObject): Request => ({
    method: 'POST',
    path: `${definitions}?dryRun=All`,
    body: definition(run, { spec: schema }),
  });
  const of = (...all: JsonObject[]): Request =>
    spec({
      type: 'object',
      properties: {
        a: count,
        b: text,
        list: { type: 'array', items: text },
        free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        'my-name': text,
        namespace: text,
      },
      ...rules(...all),
    });
  return [
    of({ rule: '' }),
    of({ rule: 'self.' }),
    of({ rule: 'self.c > 1' }),
    of({ rule: 'self.a' }),
    of({ rule: 'self.a > "1"' }),
    of({ rule: 'self.b.matches("[")' }),
    of({ rule: 'self.free.x == 1' }),
    of({ rule: "self.my__dash__name == '' && self.namespace == '' && self.__namespace__ == ''" }),
    of({ rule: 'self.my-name' }),
    of({ rule: 'self.list.all(x, self.list.all(y, x == y))' }),
    of({ rule: 'true\n&& true' }),
    of({ rule: 'true', message: ' ' }),
    of({ rule: 'true', message: 'a\nb' }),
    of({ rule: 'true', messageExpression: 'self.a' }),
    of({ rule: 'true', messageExpression: 'self.list.join(",")' }),
    of({ rule: 'true', messageExpression: ' ' }),
    of({ rule: 'true', reason: 'FieldValueWrong' }),
    of({ rule: 'true', fieldPath: '.c' }),
    of({ rule: 'true', fieldPath: ".b['x']" }),
    of({ rule: 'true', fieldPath: ' ' }),
    of({ rule: 'true', optionalOldSelf: true }),
    of({ rule: 'oldSelf.a.hasValue()', optionalOldSelf: false }),
    of({ rule: 'isURL(self.b) && cidr("10.0.0.0/8").containsIP(self.b)' }),
    of(
      { rule: 'self.b == "ä" && size(b"x") == 1u' },
      { rule: 'self.?b.orValue("") == "x" && [1, 2].sum() == 3 && quantity("1Gi").isGreaterThan(quantity("1G"))' },
    ),
    spec({ type: 'array', items: { ...text, ...rules({ rule: 'self == oldSelf' }) } }),
    spec({
      type: 'object',
      properties: { a: count },
      'x-kubernetes-map-type': 'atomic',
      ...rules({ rule: 'self == oldSelf' }),
    }),
    spec({
      type: 'object',
      'x-kubernetes-preserve-unknown-fields': true,
      properties: { a: { 'x-kubernetes-preserve-unknown-fields': true, ...rules({ rule: 'true' }) } },
    }),
    spec({ ...count, default: 1, ...rules({ rule: 'self > 1', message: 'too small' }) }),
    spec({ ...count, default: 1, ...rules({ rule: 'self > oldSelf' }) }),
    spec({ ...count, default: 1, ...rules({ rule: 'oldSelf.hasValue()', optionalOldSelf: true }) }),
    spec({ type: 'object', allOf: [rules({ rule: 'true' })] }),
    spec({
      type: 'object',
      additionalProperties: {
        type: 'object',
        properties: { a: { type: 'string', ...rules({ rule: 'self.startsWith("a")' }) } },
      },
    }),
    {
      method: 'POST',
      path: `${definitions}?dryRun=All`,
      body: definition(
        run,
        { a: count },
        rules(
          { rule: 'self.metadata.name == self.kind + self.apiVersion + self.metadata.generateName' },
          { rule: 'self.metadata.labels.size() == 0' },
        ),
      ),
    },
  ];
}

const item = {
  type: 'object',
  required: ['name'],
  properties: { name: text, port: { ...count, ...rules({ rule: 'self >= oldSelf', message: 'ports only grow' }) } },
};
const embedded = {
  type: 'object',
  'x-kubernetes-embedded-resource': true,
  'x-kubernetes-preserve-unknown-fields': true,
  ...rules({ rule: 'self.kind != "Secret"', fieldPath: '.kind', reason: 'FieldValueForbidden' }),
};

const held: JsonObject = {
  low: { ...count, ...rules({ rule: 'self < 10', messageExpression: "self > 100 ? 'far too high' : ''" }) },
  text: {
    ...text,
    ...rules(
      { rule: 'self != "no"', reason: 'FieldValueDuplicate' },
      { rule: 'self != "never"', reason: 'FieldValueRequired', message: ' spaced ' },
    ),
  },
  either: {
    'x-kubernetes-int-or-string': true,
    ...rules({ rule: 'type(self) == int ? self < 5 : self.endsWith("%")' }),
  },
  loose: { 'x-kubernetes-int-or-string': true, ...rules({ rule: 'self > 3' }) },
  when: {
    type: 'string',
    format: 'date-time',
    ...rules({ rule: 'self > timestamp("2020-01-01T00:00:00Z") && self.getFullYear() < 2030' }),
  },
  span: { type: 'string', format: 'duration', ...rules({ rule: 'self <= duration("1h")' }) },
  set: {
    type: 'array',
    items: text,
    maxItems: 5,
    'x-kubernetes-list-type': 'set',
    ...rules({ rule: 'self == oldSelf', message: 'the set stays' }),
  },
  map: {
    type: 'array',
    items: item,
    maxItems: 5,
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['name'],
    ...rules({ rule: 'oldSelf.all(o, self.exists(n, n.name == o.name))', message: 'nothing goes' }),
  },
  entries: {
    type: 'object',
    maxProperties: 5,
    additionalProperties: { ...text, ...rules({ rule: 'self.size() < 4' }) },
    ...rules({ rule: 'self.all(k, k.startsWith("a"))' }),
  },
  maybe: { ...text, nullable: true, ...rules({ rule: 'self == "x"' }) },
  once: {
    ...text,
    ...rules({ rule: '!oldSelf.hasValue() || oldSelf.value() == self', optionalOldSelf: true, message: 'set once' }),
  },
  divided: { ...count, ...rules({ rule: '10 / self > 1' }) },
  template: embedded,
};

function objects(run: string): readonly Request[] {
  const all = `/apis/${run}.example.com/v1/namespaces/default/rulings`;
  const one = `${all}/a`;
  const make = (spec: JsonObject): Request => ({
    method: 'POST',
    path: `${all}?dryRun=All`,
    body: { apiVersion: `${run}.example.com/v1`, kind: 'Ruling', metadata: { name: 'b' }, spec },
  });
  const patch = (body: JsonObject, at = one): Request => ({ method: 'PATCH', path: `${at}?dryRun=All`, body });
  const spec: JsonObject = {
    low: 1,
    text: 'x',
    set: ['a', 'b'],
    map: [
      { name: 'a', port: 1 },
      { name: 'b', port: 2 },
    ],
    entries: { a: 'x' },
    once: 'o',
    template: { apiVersion: 'v1', kind: 'Pod' },
  };
  const values: readonly (readonly [string, JsonValue])[] = [
    ['low', 11],
    ['low', 101],
    ['text', 'no'],
    ['text', 'never'],
    ['either', 4],
    ['either', 5],
    ['either', '5%'],
    ['either', '5'],
    ['loose', 4],
    ['loose', 'x'],
    ['when', '2019-01-01T00:00:00Z'],
    ['when', '2021-01-01T01:00:00+01:00'],
    ['span', '2h'],
    ['span', '30m'],
    ['entries', { b: 'x' }],
    ['entries', { a: 'long', b: 'longer' }],
    ['maybe', null],
    ['maybe', 'y'],
    ['divided', 0],
    ['divided', 5],
    ['template', { apiVersion: 'v1', kind: 'Secret' }],
    ['low', '1'],
    ['text', 'far longer than twenty characters'],
  ];
  const broken = definition(run, {
    spec: {
      type: 'object',
      properties: {
        ...held,
        low: { ...count, ...rules({ rule: 'self > 5' }) },
        map: {
          ...(held['map'] as JsonObject),
          ...rules({ rule: 'self.all(x, x.port > 5)', message: 'ports are high' }),
        },
      },
    },
    status: { type: 'object', properties: { phase: { ...text, ...rules({ rule: 'self in ["a", "b"]' }) } } },
  });
  return [
    {
      method: 'POST',
      path: definitions,
      body: definition(run, {
        spec: { type: 'object', properties: held },
        status: { type: 'object', properties: { phase: { ...text, ...rules({ rule: 'self in ["a", "b"]' }) } } },
      }),
    },
    {
      method: 'POST',
      path: all,
      body: { apiVersion: `${run}.example.com/v1`, kind: 'Ruling', metadata: { name: 'a' }, spec },
      until: ({ status }) => status !== 404,
    },
    ...values.map(([name, value]) => make({ [name]: value })),
    patch({ spec: { set: ['b', 'a'] } }),
    patch({ spec: { set: ['b'] } }),
    patch({
      spec: {
        map: [
          { name: 'b', port: 3 },
          { name: 'a', port: 0 },
        ],
      },
    }),
    patch({ spec: { map: [{ name: 'a', port: 1 }] } }),
    patch({ spec: { once: 'p' } }),
    patch({ spec: { once: null } }),
    patch({ status: { phase: 'c' } }, `${one}/status`),
    patch({ status: { phase: 'a' } }, `${one}/status`),
    {
      method: 'PATCH',
      path: `${definitions}/rulings.${run}.example.com`,
      body: { spec: { versions: (broken['spec'] as { versions: JsonObject[] }).versions } },
    },
    { ...make({ low: 1 }), until: ({ status }) => status === 422 },
    patch({ metadata: { labels: { a: 'b' } } }),
    patch({ spec: { text: 'y' } }),
    patch({ spec: { low: 2 } }),
    patch({
      spec: {
        map: [
          { name: 'a', port: 1 },
          { name: 'b', port: 3 },
        ],
      },
    }),
    patch({ status: { phase: 'b' } }, `${one}/status`),
    patch({ spec: { low: 20 } }),
    { method: 'GET', path: one },
  ];
}

export const customRuleSeries: readonly Series[] = [
  { name: 'custom resources: definitions with rules that are refused, or not', requests: refused },
  { name: 'custom resources: rules of values, transitions, warnings for what did not change', requests: objects },
];
