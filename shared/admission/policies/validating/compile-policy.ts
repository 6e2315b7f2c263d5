import type { FailurePolicy } from '#shared/admission/expressions/match-conditions.ts';
import { failurePolicyOf } from '#shared/admission/policies/contract/failure-policy.ts';
import { PolicyCompiler, type PolicyBasis } from '#shared/admission/policies/evaluation/policy-expressions.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectsAt, stringAt } from '#shared/apimachinery/object.ts';
import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import type { ConditionCompiler } from '#shared/cel/uses/admission.ts';
import type { CompiledCondition } from '#shared/cel/uses/conditions.ts';
import { boolType, nullType, stringType } from '#shared/cel/values/cel-type.ts';

export interface CompiledValidation {
  readonly expression: string;
  readonly compiled: CompiledCondition;
  readonly message: string;
  /** The compiled `messageExpression`. */
  readonly makeMessage: CompiledCondition | undefined;
  /** Empty: Invalid. */
  readonly reason: string;
}

export interface CompiledAuditAnnotation {
  readonly key: string;
  readonly valueExpression: string;
  readonly compiled: CompiledCondition;
}

/** A ValidatingAdmissionPolicy whose expressions are compiled; those that do not compile fail when evaluated. */
export interface CompiledValidatingPolicy extends PolicyBasis {
  readonly failurePolicy: FailurePolicy;
  readonly validations: readonly CompiledValidation[];
  readonly auditAnnotations: readonly CompiledAuditAnnotation[];
}

export function* compileValidatingPolicy(
  name: string,
  spec: JsonObject,
  compiler: ConditionCompiler,
): Steps<CompiledValidatingPolicy> {
  const policy = new PolicyCompiler(compiler, name, spec);
  const basis = yield* policy.basis();
  const validations: CompiledValidation[] = [];
  for (const validation of objectsAt(spec, 'validations')) {
    const expression = stringAt(validation, 'expression');
    const messageExpression = stringAt(validation, 'messageExpression');
    validations.push({
      expression,
      compiled: yield* policy.compile(expression, { authorizer: true }, [boolType]),
      message: stringAt(validation, 'message'),
      // Messages cannot ask the authorizer.
      makeMessage: messageExpression === '' ? undefined : yield* policy.compile(messageExpression, {}, [stringType]),
      reason: stringAt(validation, 'reason'),
    });
  }
  const auditAnnotations: CompiledAuditAnnotation[] = [];
  for (const annotation of objectsAt(spec, 'auditAnnotations')) {
    const valueExpression = stringAt(annotation, 'valueExpression');
    auditAnnotations.push({
      key: stringAt(annotation, 'key'),
      valueExpression,
      compiled: yield* policy.compile(valueExpression, { authorizer: true }, [stringType, nullType]),
    });
  }
  return { ...basis, failurePolicy: failurePolicyOf(spec), validations, auditAnnotations };
}
