import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import type { Random } from '#test/conformance/random-rules/random.ts';
import { boundKind, customGroup } from './targets.ts';

/** A kind of parameters, with the members that they have. */
export interface ParamKind {
  readonly apiVersion: string;
  readonly kind: string;
  readonly path: (namespace: string) => string;
  readonly body: JsonObject;
}

const custom = { word: 'x', number: 1.5, replicas: 2, list: ['a'] };

export const paramKinds: readonly ParamKind[] = [
  {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    path: (namespace) => `/api/v1/namespaces/${namespace}/configmaps`,
    body: { data: { a: 'x', b: '5' } },
  },
  {
    apiVersion: `${customGroup}/v1`,
    kind: 'Limit',
    path: (namespace) => `/apis/${customGroup}/v1/namespaces/${namespace}/limits`,
    body: { spec: custom },
  },
  {
    apiVersion: `${customGroup}/v2`,
    kind: 'Limit',
    path: (namespace) => `/apis/${customGroup}/v2/namespaces/${namespace}/limits`,
    body: { spec: custom },
  },
  {
    apiVersion: `${customGroup}/v1`,
    kind: boundKind.kind,
    path: () => `/apis/${customGroup}/v1/${boundKind.plural}`,
    body: { spec: custom },
  },
];

/** A kind that nobody serves. */
export const missingKind = { apiVersion: `${customGroup}/v1`, kind: 'Missing' };

const selectors: readonly JsonObject[] = [
  { matchLabels: { param: 'one' } },
  { matchLabels: { param: 'none' } },
  { matchExpressions: [{ key: 'param', operator: 'In', values: ['two', 'none'] }] },
];

/** One parameter at most is selected: the reference takes several in the order of a map. */
export function randomParamRef(random: Random): JsonObject {
  return {
    ...(random.oneOf(2)
      ? { name: random.pick(['one', 'one', 'two', 'missing']) }
      : { selector: random.pick(selectors) }),
    ...(random.oneOf(3) ? { namespace: random.pick(['fuzz-a', 'fuzz-b', 'none']) } : {}),
    parameterNotFoundAction: random.pick(['Allow', 'Deny']),
  };
}
