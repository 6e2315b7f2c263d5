import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import type { Environment } from '#shared/cel/check/environment.ts';
import { checkText, CompileIssues, programOf } from '#shared/cel/compile.ts';
import type { Program } from '#shared/cel/eval/program.ts';
import type { ProgramError } from '#shared/cel/values/errors.ts';

/** Compiles an expression. */
export function* compile(environment: Environment, text: string): Steps<Program | CompileIssues | ProgramError> {
  const checked = yield* checkText(environment, text);
  return checked instanceof CompileIssues ? checked : yield* programOf(environment, checked);
}
