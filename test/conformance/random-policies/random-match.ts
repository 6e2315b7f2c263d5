import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import type { Random } from '#test/conformance/random-rules/random.ts';
import { targets, type Target } from './targets.ts';

/** What a rule of a user is about: the objects of one target with one label. */
export interface Place {
  readonly target: Target;
  /** Value of the label `slot` of the objects; all objects where it is empty. */
  readonly slot: string;
  /** Of half of the objects. */
  readonly names: readonly string[];
}

const namespaceSelectors: readonly JsonObject[] = [
  { matchLabels: { team: 'a' } },
  { matchExpressions: [{ key: 'team', operator: 'In', values: ['a', 'b'] }] },
  { matchExpressions: [{ key: 'none', operator: 'DoesNotExist' }] },
  { matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator: 'NotIn', values: ['fuzz-b'] }] },
  {},
];

/** Rules as policies and webhooks have them; most of them cover the target. */
export function randomRules(random: Random, target: Target, operations: readonly string[]): JsonObject[] {
  return Array.from({ length: random.oneOf(4) ? 2 : 1 }, (_, at) =>
    randomRule(random, at === 0 && !random.oneOf(12) ? target : random.pick(targets), operations),
  );
}

function randomRule(random: Random, { group, versions, resource }: Target, operations: readonly string[]): JsonObject {
  const scope = random.oneOf(6) ? random.pick(['Namespaced', 'Cluster', '*']) : undefined;
  return {
    apiGroups: random.oneOf(6) ? ['*'] : [group, ...(random.oneOf(6) ? ['example.com'] : [])],
    apiVersions: random.oneOf(4) ? ['*'] : [random.pick(versions)],
    operations: random.oneOf(2) ? [...operations] : some(random, operations),
    resources: random.pick<JsonValue[]>([
      [resource],
      [resource, `${resource}/*`],
      ['*/*'],
      ['*'],
      [`${resource}/*`, resource],
      [resource, `${resource}/status`, `${resource}/scale`, 'pods/eviction'],
      ['*/scale', resource],
    ]),
    ...(scope === undefined ? {} : { scope }),
  };
}

/** At least one of the items. */
export function some<T>(random: Random, items: readonly T[]): T[] {
  const chosen = items.filter(() => random.oneOf(2));
  return chosen.length === 0 ? [random.pick(items)] : chosen;
}

/** Selectors of objects and namespaces. */
export function randomSelectors(random: Random, { slot }: Place): JsonObject {
  const object = random.pick<JsonObject>([
    { matchLabels: { slot } },
    { matchLabels: { slot } },
    { matchExpressions: [{ key: 'slot', operator: 'In', values: [slot, 'other'] }] },
    { matchLabels: { slot }, matchExpressions: [{ key: 'tier', operator: 'NotIn', values: ['back'] }] },
  ]);
  return {
    ...(slot === '' ? {} : { objectSelector: object }),
    ...(random.oneOf(3) ? { namespaceSelector: random.pick(namespaceSelectors) } : {}),
    ...(random.oneOf(2) ? { matchPolicy: random.pick(['Exact', 'Equivalent']) } : {}),
  };
}

/** What the policies, and their bindings, look at. */
export function randomMatchResources(random: Random, place: Place, operations: readonly string[]): JsonObject {
  const { target } = place;
  const names = random.oneOf(10) ? { resourceNames: [...place.names] } : {};
  return {
    ...randomSelectors(random, place),
    resourceRules: randomRules(random, target, operations).map((rule) => ({ ...rule, ...names })),
    ...(random.oneOf(5)
      ? {
          excludeResourceRules: [
            {
              ...randomRule(random, random.oneOf(2) ? target : random.pick(targets), operations),
              ...(random.oneOf(2) ? { resourceNames: [...place.names] } : {}),
            },
          ],
        }
      : {}),
  };
}
