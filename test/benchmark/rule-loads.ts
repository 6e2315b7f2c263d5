import type { JsonObject } from '#shared/apimachinery/json/json.ts';

/** A rule that is as expensive as rules may be, for one value. */
interface RuleLoad {
  readonly name: string;
  readonly schema: JsonObject;
  readonly rule: string;
  readonly value: () => string | number[] | string[];
}

const text = { type: 'string', maxLength: 2_900_000 };
const texts = { type: 'array', maxItems: 20_000, items: { type: 'string', maxLength: 20 } };
const numbers = (maxItems: number): JsonObject => ({ type: 'array', maxItems, items: { type: 'integer' } });
const long = (): string => 'ab '.repeat(900_000);

/** Within the limits of costs, when the definition is written and when the rule is run. */
const loads: readonly RuleLoad[] = [
  { name: 'a pattern over a text of 2.7 MB', schema: text, rule: "self.matches('^(a|b| )*$')", value: long },
  {
    name: 'a pattern that never matches over a text of 2.7 MB',
    schema: text,
    rule: "!self.matches('(a*)*c')",
    value: long,
  },
  { name: 'a text of 2.7 MB split', schema: text, rule: "self.split(' ').size() > 1", value: long },
  { name: 'a text of 2.7 MB replaced', schema: text, rule: "self.replace('a', 'b') != self", value: long },
  {
    name: 'a text of 2.7 MB with a letter before each character',
    schema: text,
    rule: "self.replace('', 'b') != self",
    value: long,
  },
  { name: 'every place of a text of 2.7 MB', schema: text, rule: "self.findAll('').size() > 1", value: long },
  {
    name: 'a path of 2.7 MB escaped',
    schema: text,
    rule: "url('http://a/' + self).getEscapedPath() != ''",
    value: () => '%20a'.repeat(700_000),
  },
  {
    name: 'an expression of 90,000 characters',
    schema: { type: 'string', maxLength: 20 },
    rule: Array.from({ length: 7500 }, () => "self != 'a'").join('&&'),
    value: () => 'b',
  },
  {
    name: 'the size of a text of 2.7 MB',
    schema: text,
    rule: 'self.size() > 1 && self.upperAscii() != self',
    value: long,
  },
  {
    name: 'loops in loops over 400 numbers',
    schema: numbers(400),
    rule: 'self.all(x, self.exists(y, x == y))',
    value: () => Array.from({ length: 400 }, (_, index) => index),
  },
  {
    name: '20,000 texts joined',
    schema: texts,
    rule: "self.join(',').size() > 1",
    value: () => Array.from({ length: 20_000 }, (_, index) => `text ${index}`),
  },
  {
    name: '20,000 texts in order',
    schema: texts,
    rule: 'self.isSorted() || true',
    value: () => Array.from({ length: 20_000 }, (_, index) => `text ${100_000 + index}`),
  },
  {
    name: '20,000 texts compared',
    schema: texts,
    rule: 'self == self && self.map(x, x).size() > 1',
    value: () => Array.from({ length: 20_000 }, (_, index) => `text ${index}`),
  },
];

const group = 'ruled.example.com';

function definitionOf(plural: string, kind: string, spec: JsonObject): JsonObject {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural, kind },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
        },
      ],
    },
  };
}

/** One whose rule is no expression: it has to be explained. */
export function brokenDefinition(): JsonObject {
  return definitionOf('broken', 'Broken', {
    type: 'string',
    'x-kubernetes-validations': [{ rule: `${Array.from({ length: 7500 }, () => "self != 'a'").join('&&')}&&` }],
  });
}

/** For each load its definition, and an object under it. */
export function ruleLoads(): readonly {
  readonly name: string;
  readonly definition: JsonObject;
  readonly path: string;
  readonly object: () => JsonObject;
}[] {
  return loads.map(({ name, schema, rule, value }, index) => {
    const [plural, kind] = [`ruled${index}`, `Ruled${index}`];
    return {
      name,
      path: `/apis/${group}/v1/namespaces/default/${plural}`,
      definition: definitionOf(plural, kind, { ...schema, 'x-kubernetes-validations': [{ rule }] }),
      object: () => ({ apiVersion: `${group}/v1`, kind, metadata: { name: 'a' }, spec: value() }),
    };
  });
}
