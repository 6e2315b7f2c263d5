import { PolicyCompiler, type PolicyBasis } from '#shared/admission/policies/evaluation/policy-expressions.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt, objectsAt, stringAt } from '#shared/apimachinery/object.ts';
import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import type { ConditionCompiler } from '#shared/cel/uses/admission.ts';
import type { CompiledCondition } from '#shared/cel/uses/conditions.ts';
import { listType, objectType } from '#shared/cel/values/cel-type.ts';

export interface CompiledMutation {
  readonly type: 'ApplyConfiguration' | 'JSONPatch';
  readonly compiled: CompiledCondition;
}

/** A MutatingAdmissionPolicy whose expressions are compiled; those that do not compile fail when evaluated. */
export interface CompiledMutatingPolicy extends PolicyBasis {
  readonly mutations: readonly CompiledMutation[];
  /** `reinvocationPolicy: IfNeeded`. */
  readonly mayRunAgain: boolean;
}

const results = {
  ApplyConfiguration: [objectType('Object')],
  JSONPatch: [listType(objectType('JSONPatch'))],
} as const;

export function* compileMutatingPolicy(
  name: string,
  spec: JsonObject,
  compiler: ConditionCompiler,
): Steps<CompiledMutatingPolicy> {
  const policy = new PolicyCompiler(compiler, name, spec);
  const basis = yield* policy.basis();
  const mutations: CompiledMutation[] = [];
  for (const mutation of objectsAt(spec, 'mutations')) {
    const type = stringAt(mutation, 'patchType') === 'JSONPatch' ? 'JSONPatch' : 'ApplyConfiguration';
    const text = stringAt(objectAt(mutation, type === 'JSONPatch' ? 'jsonPatch' : 'applyConfiguration'), 'expression');
    const variables = { authorizer: true, patchTypes: true };
    mutations.push({ type, compiled: yield* policy.compile(text, variables, results[type]) });
  }
  return { ...basis, mutations, mayRunAgain: stringAt(spec, 'reinvocationPolicy') === 'IfNeeded' };
}
