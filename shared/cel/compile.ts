import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import { check } from './check/checker.ts';
import type { Environment } from './check/environment.ts';
import { literalIssues } from './check/literals.ts';
import type { Checked } from './contract/checked.ts';
import { Program } from './eval/program.ts';
import { parse } from './parse/parse.ts';
import { formatIssues, type Issue } from './syntax/issue.ts';
import { ProgramError } from './values/errors.ts';

/** The compile errors of an expression; `toString` prints them as cel-go does. */
export class CompileIssues {
  readonly text: string;
  readonly issues: readonly Issue[];

  constructor(text: string, issues: readonly Issue[]) {
    this.text = text;
    this.issues = issues;
  }

  toString(): string {
    return formatIssues(this.text, this.issues);
  }
}

/** Parses an expression and finds its types. */
export function* checkText(environment: Environment, text: string): Steps<Checked | CompileIssues> {
  const parsed = yield* parse(text, environment);
  if ('issues' in parsed) return new CompileIssues(text, parsed.issues);
  const checked = yield* check(parsed, environment);
  if ('issues' in checked) return new CompileIssues(text, checked.issues);
  const issues = yield* literalIssues(checked, environment);
  return issues.length > 0 ? new CompileIssues(text, issues) : checked;
}

/**
 * Plans a checked expression. Returns a ProgramError if it cannot be planned, for example because it names an unknown
 * type.
 */
export function* programOf(environment: Environment, checked: Checked): Steps<Program | ProgramError> {
  try {
    return yield* Program.plan(checked, environment);
  } catch (error) {
    if (error instanceof ProgramError) return error;
    throw error;
  }
}
