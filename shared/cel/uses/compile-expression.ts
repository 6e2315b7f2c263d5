import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import { compilationSeconds } from '#shared/cel/cel-metrics.ts';
import type { Environment } from '#shared/cel/check/environment.ts';
import { checkText, CompileIssues, programOf } from '#shared/cel/compile.ts';
import { Program } from '#shared/cel/eval/program.ts';
import type { CelType } from '#shared/cel/values/cel-type.ts';

/** Why an expression is invalid; types and texts are upstream's (k8s.io/apiserver/pkg/cel, errors.go). */
export class ExpressionError {
  readonly type: 'RuleInvalid' | 'InternalError';
  readonly detail: string;

  constructor(type: 'RuleInvalid' | 'InternalError', detail: string) {
    this.type = type;
    this.detail = detail;
  }
}

export interface CompiledExpression {
  readonly text: string;
  readonly program: Program;
  readonly type: CelType;
}

/**
 * Compiles an expression for one of Kubernetes' uses.
 * @param wrongType returns the error message for a result type; undefined if the type is allowed
 */
export function* compileExpression(
  environment: Environment,
  text: string,
  wrongType: (type: CelType) => string | undefined,
): Steps<CompiledExpression | ExpressionError> {
  const startedMs = performance.now();
  const checked = yield* checkText(environment, text);
  if (checked instanceof CompileIssues)
    return new ExpressionError('RuleInvalid', `compilation failed: ${checked.toString()}`);
  const type = checked.resultType;
  const wrong = wrongType(type);
  if (wrong !== undefined) return new ExpressionError('RuleInvalid', wrong);
  const program = yield* programOf(environment, checked);
  compilationSeconds.observe((performance.now() - startedMs) / 1000);
  return program instanceof Program
    ? { text, program, type }
    : new ExpressionError('InternalError', `program instantiation failed: ${program.message}`);
}
