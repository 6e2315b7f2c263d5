import { maxFieldErrors } from '#shared/apimachinery/errors/error-budget.ts';
import {
  invalid,
  notSupported,
  path,
  required,
  tooLong,
  tooMany,
  typeInvalid,
  type BadValue,
  type FieldError,
  type Path,
} from '#shared/apimachinery/errors/field-error.ts';
import type { JsonValue } from '#shared/apimachinery/json/json.ts';
import type { AllowedValues } from './allowed-values.ts';
import { printedValue } from './printed-value.ts';

/**
 * One violation: the message that identifies it, with a digest for a long list of values, and the error that a Status
 * contains for it.
 */
export interface Violation {
  readonly message: string;
  readonly error: () => FieldError;
}

/**
 * The violations that a check found, and the number of rules that it checked: `anyOf` and `oneOf` show the errors of
 * the schema with the highest number.
 */
export class CheckResult {
  matches = 0;
  /** Whether an `anyOf` or `oneOf` compares the number of matches. */
  readonly isCompared: boolean;
  /** Violations by message; undefined until the first one, as most values break no rule. */
  #violations: Map<string, Violation> | undefined;

  constructor(isCompared = false) {
    this.isCompared = isCompared;
  }

  /** Whether the result stays as it is, whatever else is checked. */
  get isFinal(): boolean {
    return this.isFull && !this.isCompared;
  }

  get isFull(): boolean {
    return (this.#violations?.size ?? 0) >= maxFieldErrors;
  }

  get valid(): boolean {
    return this.#violations === undefined;
  }

  get violations(): readonly Violation[] {
    return [...(this.#violations?.values() ?? [])];
  }

  /** Adds a violation, unless there is one with the same text already or the maximum is reached. */
  add(violation: Violation): void {
    this.#violations ??= new Map();
    if (this.#violations.size < maxFieldErrors && !this.#violations.has(violation.message))
      this.#violations.set(violation.message, violation);
  }

  merge(other: CheckResult): void {
    this.matches += other.matches;
    for (const violation of other.#violations?.values() ?? []) {
      if (this.isFull) return;
      this.add(violation);
    }
  }
}

/** The path of an error in a Status: without the first dot, and undefined for the object itself. */
function at(name: string): Path | undefined {
  const text = name.startsWith('.') ? name.slice(1) : name;
  return text === '' ? undefined : path(text);
}

export function broken(name: string, value: BadValue, rule: string): Violation {
  return brokenAs(name, value, `${name} in body ${rule}`);
}

/** A violation whose message is the complete text. */
export function brokenAs(name: string, value: BadValue, message: string): Violation {
  return { message, error: () => invalid(at(name), value, message) };
}

export function forbiddenProperty(name: string, key: string): Violation {
  return brokenAs(name, key, `${name}.${key} in body is a forbidden property`);
}

/** `shown` is the bad value in the error: for a wrong type the name of the type, for a wrong format the text itself. */
export function wrongType(name: string, wanted: string, shown: string, quoted: string): Violation {
  const message = `${name} in body must be of type ${wanted}: ${quoted}`;
  return { message, error: () => typeInvalid(at(name), shown, message) };
}

export function missing(name: string): Violation {
  return { message: `${name} in body is required`, error: () => required(at(name), '') };
}

export function notInEnum(name: string, value: JsonValue, allowed: AllowedValues): Violation {
  return {
    message: `${name} in body should be one of ${allowed.identity}`,
    error: () => notSupported(at(name), printedValue(value), allowed.texts),
  };
}

export function tooManyBytes(name: string, max: number): Violation {
  return { message: `${name} in body should be at most ${max} chars long`, error: () => tooLong(at(name), '', max) };
}

export function tooManyOf(name: string, what: 'items' | 'properties', actual: number, max: number): Violation {
  return { message: `${name} in body should have at most ${max} ${what}`, error: () => tooMany(at(name), actual, max) };
}

/** Moves an error of a value that was validated on its own to the path of that value in the whole object. */
export function errorBelow(error: FieldError, at: Path): FieldError {
  return { ...error, field: error.field === '<nil>' ? at.toString() : `${at.toString()}.${error.field}` };
}

/** A violation whose error names no field. */
export function general(message: string): Violation {
  return { message, error: () => invalid(undefined, '', message) };
}
