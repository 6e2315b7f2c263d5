/** All of this folder that evaluates expressions, for {@link loadEngine}. */
export { baseEnvironments } from '#shared/cel/environment/base-environment.ts';
export { ConditionCompiler } from '#shared/cel/uses/admission.ts';
export { compileMutatingPolicy } from './mutating/compile-policy.ts';
export { MutatingDispatch } from './mutating/dispatch.ts';
export { BuiltInParams } from './params/built-in-params.ts';
export { PolicyRequest } from './evaluation/policy-request.ts';
export { compileValidatingPolicy } from './validating/compile-policy.ts';
export { ValidatingDispatch } from './validating/dispatch.ts';
