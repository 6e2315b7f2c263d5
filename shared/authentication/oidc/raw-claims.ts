import type { JsonValue } from '#shared/apimachinery/json/json.ts';
import { AuthenticationError } from '#shared/authentication/contract/authenticator.ts';
import { jsonKind, jsonMembers } from '#shared/authentication/jwt/json-members.ts';
import { safeParse } from '#shared/serializer/json/safe-parse.ts';

/** The claims of a verified token as they are written. Of several claims of one name the last counts, as in Go. */
export class RawClaims {
  readonly #texts: Map<string, string>;

  /** @throws AuthenticationError if the text is no JSON object */
  constructor(payload: string) {
    this.#texts = new Map(membersOf(payload));
  }

  has(name: string): boolean {
    return this.#texts.has(name);
  }

  names(): Iterable<string> {
    return this.#texts.keys();
  }

  /** Adds the claim of another token. */
  adopt(name: string, from: RawClaims): void {
    const text = from.#texts.get(name);
    if (text !== undefined) this.#texts.set(name, text);
  }

  /** The text of a claim; undefined without such a claim. */
  raw(name: string): string | undefined {
    return this.#texts.get(name);
  }

  /** Undefined without such a claim. */
  value(name: string): JsonValue | undefined {
    const text = this.#texts.get(name);
    return text === undefined ? undefined : (safeParse(text) as JsonValue);
  }

  /** A text; empty for null. @throws AuthenticationError for a claim that is absent or no text */
  text(name: string): string {
    const value = this.#required(name);
    if (value === null) return '';
    if (typeof value !== 'string') throw this.#wrongTypeError(name, 'string');
    return value;
  }

  /** False for null. @throws AuthenticationError for a claim that is absent or no bool */
  bool(name: string): boolean {
    const value = this.#required(name) ?? false;
    if (typeof value !== 'boolean') throw this.#wrongTypeError(name, 'bool');
    return value;
  }

  /** A text, or a list of texts. @throws AuthenticationError for other claims */
  texts(name: string): string[] {
    const value = this.#required(name);
    if (value === null) return [];
    if (typeof value === 'string') return [value];
    if (Array.isArray(value) && value.every((item) => item === null || typeof item === 'string'))
      return value.map((item) => item ?? '');
    throw this.#wrongTypeError(name, 'string');
  }

  #required(name: string): JsonValue {
    const value = this.value(name);
    if (value === undefined) throw new AuthenticationError('claim not present');
    return value;
  }

  #wrongTypeError(name: string, goType: string): AuthenticationError {
    return wrongTypeError(this.#texts.get(name) ?? '', goType);
  }
}

/**
 * Names and texts of the members of a JSON object, repeated ones too; none for null.
 * @throws AuthenticationError for other texts
 */
export function membersOf(text: string): [name: string, text: string][] {
  let members;
  try {
    members = jsonMembers(text);
  } catch (error) {
    if (error instanceof SyntaxError) throw new AuthenticationError(error.message);
    throw error;
  }
  if (members === undefined && text.trim() !== 'null') throw wrongTypeError(text, 'map[string]json.RawMessage');
  return members ?? [];
}

/** The error of Go for a JSON value of a wrong type. */
export function wrongTypeError(text: string, goType: string): AuthenticationError {
  return new AuthenticationError(`json: cannot unmarshal ${jsonKind(text.trim())} into Go value of type ${goType}`);
}
