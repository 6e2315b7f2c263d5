import type { JsonValue } from '#shared/apimachinery/json/json.ts';
import type { TypeView } from '#shared/apimachinery/schema/type-view.ts';
import { atOnce, sliceIsOver, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { writtenBytes } from '#shared/apimachinery/text/go-format.ts';

/**
 * A value of a type. Objects of built-in types must be in the form that their Go type prints (`canonicalObject`): empty
 * `omitempty` fields are absent, other fields are always present. Functions on typed values change nothing in place and
 * share parts with their arguments.
 */
export interface TypedValue {
  readonly value: JsonValue;
  readonly type: TypeView;
}

/** One violation of a type. */
export interface TypedError {
  /** `.spec.ports[port=80]`; empty for the value itself. */
  readonly path: string;
  readonly message: string;
}

/**
 * Most bytes of a list of violations in an answer. The reference sends all (structured-merge-diff/typed/helpers.go), or
 * answers 504 when that takes too long. With the rest of the Status they are at most a MiB.
 */
const maxBytes = 1023 * 1024;

/** The violations in the words of the reference's ValidationErrors: one, or `errors:` and one a line. */
export class TypedValueError extends Error {
  readonly errors: readonly TypedError[];

  constructor(errors: readonly TypedError[], text = atOnce(errorsText(errors))) {
    super(text);
    this.name = 'TypedValueError';
    this.errors = errors;
  }

  /** Builds the error from a list that may be long. */
  static *inSteps(errors: readonly TypedError[]): Steps<TypedValueError> {
    return new TypedValueError(errors, yield* errorsText(errors));
  }

  /** The same error, with a prefix that names the failed step: `failed to merge config: …`. */
  within(doing: string): TypedValueError {
    return new TypedValueError(this.errors, `${doing}: ${this.message}`);
  }
}

/** Runs a step that may let others run or wait, and prefixes its error with what failed. */
export function* withinSteps<T>(doing: string, steps: Steps<T>): Steps<T> {
  try {
    return yield* steps;
  } catch (error) {
    throw error instanceof TypedValueError ? error.within(doing) : error;
  }
}

function* errorsText(errors: readonly TypedError[]): Steps<string> {
  const [first] = errors;
  if (first !== undefined && errors.length === 1) return lineOf(first);
  const lines = ['errors:'];
  let bytes = 0;
  for (const [index, error] of errors.entries()) {
    const line = `  ${lineOf(error)}`;
    bytes += writtenBytes(`${line}\n`);
    if (bytes > maxBytes && index > 0)
      return [...lines, `  ${errors.length - index} more errors are not shown`].join('\n');
    lines.push(line);
    if (sliceIsOver()) yield;
  }
  return lines.join('\n');
}

function lineOf({ path, message }: TypedError): string {
  return path === '' ? message : `${path}: ${message}`;
}
