import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import type { Random } from '#test/conformance/random-rules/random.ts';
import { randomCondition, randomText, randomVariable, rootsOf } from './policy-expressions.ts';
import { randomMatchResources, some, type Place } from './random-match.ts';
import { randomMutations } from './random-mutations.ts';
import { missingKind, paramKinds, randomParamRef, type ParamKind } from './random-params.ts';
import { customGroup } from './targets.ts';

export type PolicyType = 'Validating' | 'Mutating';

/** The specs of a policy and of its bindings, which name no policy yet. */
export interface RandomPolicy {
  readonly spec: JsonObject;
  readonly bindings: readonly JsonObject[];
}

/** A policy for the objects of a place. What is for all objects of a round does not depend on the order of policies. */
export function randomPolicy(random: Random, type: PolicyType, place: Place): RandomPolicy {
  const isBroad = place.slot === '';
  const params = !isBroad && random.oneOf(3) ? random.pick(paramKinds) : undefined;
  const paramKind = params !== undefined && random.oneOf(15) ? missingKind : params;
  const readable = { ...(params === undefined ? {} : { params: params.body }), namespaceObject: true };
  const plain = rootsOf(random, place.target, readable);
  const variables = Array.from({ length: random.below(3) }, (_, at) => randomVariable(random, plain, `v${at}`));
  const roots = [...plain, ...variables];
  const spec: JsonObject = {
    ...failurePolicy(random, isBroad),
    ...(paramKind === undefined ? {} : { paramKind: { apiVersion: paramKind.apiVersion, kind: paramKind.kind } }),
    matchConstraints: {
      ...randomMatchResources(random, place, operationsOf(type)),
      ...(isBroad ? { excludeResourceRules: [leftAlone(type)] } : {}),
    },
    ...(random.oneOf(3)
      ? { matchConditions: [{ name: 'when.example.com', expression: randomCondition(random, plain) }] }
      : {}),
    ...(variables.length > 0
      ? { variables: variables.map(({ text, expression }) => ({ name: text.slice('variables.'.length), expression })) }
      : {}),
    ...(type === 'Validating'
      ? validating(random, roots)
      : {
          reinvocationPolicy: random.pick(['Never', 'IfNeeded']),
          mutations: isBroad ? broadMutation : randomMutations(random, place.target, roots),
        }),
  };
  return { spec, bindings: randomBindings(random, type, place, params) };
}

/** What is for all objects of a round may not stop the markers that follow it. */
export function failurePolicy(random: Random, isBroad: boolean): JsonObject {
  if (isBroad) return { failurePolicy: 'Ignore' };
  return random.oneOf(2) ? { failurePolicy: random.pick(['Fail', 'Ignore']) } : {};
}

/**
 * What policies for all objects leave alone: the configurations of the next round, and objects that two policies may
 * mutate in two versions, of whose changes the reference keeps those of the last one (policy/mutating/dispatcher.go).
 */
function leftAlone(type: PolicyType): JsonObject {
  return {
    apiGroups: ['admissionregistration.k8s.io', ...(type === 'Mutating' ? ['autoscaling', customGroup] : [])],
    apiVersions: ['*'],
    operations: ['*'],
    resources: ['*/*'],
  };
}

const broadMutation: JsonValue[] = [
  {
    patchType: 'ApplyConfiguration',
    applyConfiguration: {
      expression: "Object{metadata: Object.metadata{annotations: {'broad': request.operation}}}",
    },
  },
];

function operationsOf(type: PolicyType): readonly string[] {
  return type === 'Validating' ? ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'] : ['CREATE', 'UPDATE'];
}

type Roots = Parameters<typeof randomCondition>[1];

function validating(random: Random, roots: Roots): JsonObject {
  const validations = Array.from({ length: 1 + random.below(3) }, (): JsonObject => ({
    expression: randomCondition(random, roots),
    ...(random.oneOf(3) ? { message: random.pick(['is wrong', ' spaced ', 'ä', 'two\nlines', '']) } : {}),
    ...(random.oneOf(2) ? { messageExpression: randomText(random, roots) } : {}),
    ...(random.oneOf(3)
      ? { reason: random.pick(['Unauthorized', 'Forbidden', 'Invalid', 'RequestEntityTooLarge']) }
      : {}),
  }));
  const annotations = Array.from({ length: random.oneOf(3) ? 1 + random.below(2) : 0 }, (_, at): JsonObject => ({
    key: `k${at}`,
    valueExpression: random.oneOf(4) ? 'null' : randomText(random, roots),
  }));
  return {
    ...(annotations.length > 0 && random.oneOf(4) ? {} : { validations }),
    ...(annotations.length > 0 ? { auditAnnotations: annotations } : {}),
  };
}

const actions: readonly (readonly string[])[] = [
  ['Deny'],
  ['Deny'],
  ['Warn'],
  ['Audit'],
  ['Warn', 'Audit'],
  ['Deny', 'Audit'],
];

/** Several only where their order shows nothing: the reference takes them in that of a map. */
function randomBindings(random: Random, type: PolicyType, place: Place, params: ParamKind | undefined): JsonObject[] {
  const isBroad = place.slot === '';
  const count = type === 'Validating' && random.oneOf(4) ? 2 : 1;
  return Array.from({ length: count }, (_, at): JsonObject => ({
    ...(type === 'Validating' ? { validationActions: [...(isBroad || at > 0 ? ['Warn'] : random.pick(actions))] } : {}),
    ...(params !== undefined && !random.oneOf(12) ? { paramRef: randomParamRef(random) } : {}),
    ...(random.oneOf(4) ? { matchResources: bindingMatch(random, type, place) } : {}),
  }));
}

function bindingMatch(random: Random, type: PolicyType, place: Place): JsonObject {
  const match = randomMatchResources(random, place, operationsOf(type));
  const kept = some(random, Object.keys(match));
  return Object.fromEntries(Object.entries(match).filter(([key]) => kept.includes(key)));
}
