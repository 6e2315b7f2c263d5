import type { ConditionCompiler } from '#shared/cel/uses/admission.ts';

/** Compiles the expressions of webhooks and policies, as far as new objects may use CEL. */
export interface RuleCompilers {
  conditions(): ConditionCompiler;
}
