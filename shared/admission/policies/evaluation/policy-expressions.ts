import { compileMatchConditions, type MatchConditions } from '#shared/admission/expressions/match-conditions.ts';
import { failurePolicyOf } from '#shared/admission/policies/contract/failure-policy.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt, objectsAt, stringAt } from '#shared/apimachinery/object.ts';
import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import type { ConditionCompiler, ConditionVariables } from '#shared/cel/uses/admission.ts';
import type { CompiledCondition } from '#shared/cel/uses/conditions.ts';
import { variableType } from '#shared/cel/uses/variable-type.ts';
import type { CelType } from '#shared/cel/values/cel-type.ts';

/** The cost limit of the expressions of one policy, with one binding and parameter (apiserver/pkg/apis/cel). */
export const costOfPolicy = 10_000_000;

/** The parts that validating and mutating policies share. */
export interface PolicyBasis {
  readonly variables: ReadonlyMap<string, CompiledCondition>;
  readonly matchConditions: MatchConditions | undefined;
}

/**
 * Compiles the expressions of a stored policy. Its variables come first: each expression sees those that were compiled
 * before it.
 */
export class PolicyCompiler {
  readonly #compiler: ConditionCompiler;
  readonly #name: string;
  readonly #spec: JsonObject;
  readonly #hasParams: boolean;
  readonly #types = new Map<string, CelType>();

  constructor(compiler: ConditionCompiler, name: string, spec: JsonObject) {
    this.#compiler = compiler;
    this.#name = name;
    this.#spec = spec;
    this.#hasParams = objectAt(spec, 'paramKind') !== undefined;
  }

  *basis(): Steps<PolicyBasis> {
    const variables = new Map<string, CompiledCondition>();
    for (const variable of objectsAt(this.#spec, 'variables')) {
      const name = stringAt(variable, 'name');
      const compiled = yield* this.compile(stringAt(variable, 'expression'), { authorizer: true }, 'any');
      this.#types.set(name, variableType(compiled));
      variables.set(name, compiled);
    }
    const matchConditions = yield* compileMatchConditions(
      objectsAt(this.#spec, 'matchConditions'),
      { name: this.#name, kind: 'policy', type: 'validate', failurePolicy: failurePolicyOf(this.#spec) },
      this.#compiler,
      { hasParams: this.#hasParams, types: this.#types, variables },
    );
    return { variables, matchConditions };
  }

  compile(
    text: string,
    variables: Omit<ConditionVariables, 'params'>,
    returns: readonly CelType[] | 'any',
  ): Steps<CompiledCondition> {
    return this.#compiler.compile(text, { ...variables, params: this.#hasParams }, returns, true, this.#types);
  }
}
