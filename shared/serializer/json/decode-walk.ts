import type { JsonValue } from '#shared/apimachinery/json/json.ts';
import { isObject } from '#shared/apimachinery/json/json.ts';
import type { StructSchema } from '#shared/apimachinery/schema/schema.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import { spelling } from './spelled-numbers.ts';

/** The error for a value that does not fit its Go type, with the message of Go's decoder. */
export class JsonTypeError extends Error {
  override readonly name = 'JsonTypeError';
}

export interface ConformOptions {
  /** Whether unknown fields are collected as strict errors. They are dropped in any case. */
  readonly strict: boolean;
  /** Whether the paths of strict errors include map keys. Default true. */
  readonly namesMapKeys?: boolean;
  /** Whether the value comes from `parseSpelled`; custom shapes do not accept such values. Default false. */
  readonly spelled?: boolean;
  /** Whether integers beyond int64 are floats, as where Go decoded the value to `any` before. Default false. */
  readonly decoded?: boolean;
}

const maxStrictErrors = 100;
/** Stands for a map key in a path that does not show map keys. */
const unnamed = Symbol('unnamed');

/** Go's name for the type of a JSON value; for a number, with its text. */
export function goValueName(value: JsonValue): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (isObject(value)) return 'object';
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'string' && spelling(value) === undefined ? 'string' : 'number';
}

/**
 * The current position of a decoding walk, for error texts only. Go reports two kinds of paths: strict errors show
 * indices and map keys; type errors show neither, but name the Go struct and its embedded structs.
 */
export class DecodeWalk {
  readonly strict: boolean;
  /** Whether the value may have marked numbers that keep their spelling (`parseSpelled`). */
  readonly spelled: boolean;
  /** Whether integers beyond int64 are floats. */
  readonly decoded: boolean;
  /** Whether the paths of strict errors include map keys; those of the patch converter do not. */
  readonly #namesMapKeys: boolean;
  readonly strictErrors: string[] = [];
  /** The first type error. Go continues and reports it at the end, unless a type's own decoder fails first. */
  typeError: JsonTypeError | undefined;
  /** Number of quantities so far that Go holds in another form than the stored one (`equalsStoredQuantity`). */
  respelledAmounts = 0;
  /** Whether Go copies the current value before it prints it, as it does with map values that are no pointers. */
  isCopied = false;
  /** Keys and indices from the root. */
  readonly #path: (string | number | typeof unnamed)[] = [];
  /** Fields (with embedded structs) from the root. */
  readonly #fields: string[] = [];
  readonly #structs: StructSchema[] = [];

  constructor({ strict, namesMapKeys = true, spelled = false, decoded = false }: ConformOptions) {
    this.strict = strict;
    this.spelled = spelled;
    this.decoded = decoded;
    this.#namesMapKeys = namesMapKeys;
  }

  enterField(struct: StructSchema, goPath: string, name: string): void {
    this.#path.push(name);
    this.#fields.push(goPath);
    this.#structs.push(struct);
  }

  leaveField(): void {
    this.#path.pop();
    this.#fields.pop();
    this.#structs.pop();
  }

  enter(step: string | number): void {
    this.#path.push(typeof step === 'string' && !this.#namesMapKeys ? unnamed : step);
  }

  leave(): void {
    this.#path.pop();
  }

  unknownField(name: string): void {
    if (this.strict) this.#addStrict(`unknown field ${goQuote(this.#strictPath(name))}`);
  }

  #strictPath(name: string): string {
    let out = '';
    for (const step of [...this.#path, name])
      if (step !== unnamed) out += typeof step === 'number' ? `[${step}]` : out === '' ? step : `.${step}`;
    return out;
  }

  #addStrict(text: string): void {
    if (this.strictErrors.length < maxStrictErrors && !this.strictErrors.includes(text)) this.strictErrors.push(text);
  }

  /** Records that a value of this JSON type does not fit the Go type. */
  mismatch(value: string, type: string): void {
    this.typeError ??= this.#typeError(value, type);
  }

  /** As {@link mismatch}, for types with a decoder of their own, where Go stops at once. */
  fail(value: string, type: string): never {
    throw this.#typeError(value, type);
  }

  #typeError(value: string, type: string): JsonTypeError {
    const struct = this.#structs.at(-1);
    const place = struct === undefined ? 'value' : `struct field ${struct.goName}.${this.#fields.join('.')}`;
    return new JsonTypeError(`json: cannot unmarshal ${value} into Go ${place} of type ${type}`);
  }
}
