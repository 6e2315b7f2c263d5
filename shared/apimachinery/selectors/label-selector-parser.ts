import {
  type Path,
  aggregateMessages,
  childOf,
  fieldErrorText,
  invalid,
  notSupported,
} from '#shared/apimachinery/errors/field-error.ts';
import type { FieldError } from '#shared/apimachinery/errors/field-error.ts';
import { atOnce, sliceIsOver, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { sortInSteps } from '#shared/apimachinery/slices/sort-in-steps.ts';
import { compareUtf8 } from '#shared/apimachinery/text/go-format.ts';
import { isLabelValue, isQualifiedName } from '#shared/apimachinery/validation/names.ts';
import { type Token, Tokenizer } from './label-selector-tokens.ts';

/** `exists` and `!` take no value; `gt` and `lt` compare integers. */
export type LabelOperator = '=' | '==' | '!=' | 'in' | 'notin' | 'exists' | '!' | 'gt' | 'lt';

/** One term of a label selector; all terms must hold. */
export interface LabelRequirement {
  readonly key: string;
  readonly operator: LabelOperator;
  readonly values: readonly string[];
}

/** A selector that cannot be understood; the message is the reference's. */
export class SelectorError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'SelectorError';
  }
}

const BINARY_OPERATORS = ['in', 'notin', '=', '==', '!=', 'gt', 'lt'] as const;
const ALL_OPERATORS = [...BINARY_OPERATORS, 'exists', '!'] as const;

/**
 * Checks one requirement (`labels.NewRequirement`).
 * @param values undefined for Go's nil list
 * @throws SelectorError with all faults in one text
 */
export function newLabelRequirement(
  key: string,
  operator: string,
  values: readonly string[] | undefined,
  path?: Path,
): LabelRequirement {
  return atOnce(labelRequirement(key, operator, values, path));
}

/** As {@link newLabelRequirement}, for many values. */
export function* labelRequirement(
  key: string,
  operator: string,
  values: readonly string[] | undefined,
  path?: Path,
): Steps<LabelRequirement> {
  const list = values ?? [];
  const errors: FieldError[] = [];
  const keyMessages = isQualifiedName(key);
  if (keyMessages.length > 0) errors.push(invalid(childOf(path, 'key'), key, keyMessages.join('; ')));
  const valuesPath = childOf(path, 'values');
  const shown = values === undefined ? null : [...values];
  const fault = valuesFault(operator, list.length);
  if (fault !== undefined) errors.push(invalid(valuesPath, shown, fault));
  if (operator === 'gt' || operator === 'lt') {
    list.forEach((value, i) => {
      if (parseInt64(value) === undefined) {
        errors.push(invalid(valuesPath.index(i), value, "for 'Gt', 'Lt' operators, the value must be an integer"));
      }
    });
  }
  if (!isLabelOperator(operator)) errors.push(notSupported(childOf(path, 'operator'), operator, ALL_OPERATORS));
  for (const [i, value] of list.entries()) {
    const messages = isLabelValue(value);
    if (messages.length > 0) errors.push(invalid(valuesPath.index(i).key(key), value, messages.join('; ')));
    if (sliceIsOver()) yield;
  }
  if (errors.length > 0 || !isLabelOperator(operator))
    throw new SelectorError(aggregateMessages(errors.map(fieldErrorText)));
  return { key, operator, values: list };
}

function isLabelOperator(operator: string): operator is LabelOperator {
  return (ALL_OPERATORS as readonly string[]).includes(operator);
}

function valuesFault(operator: string, count: number): string | undefined {
  switch (operator) {
    case 'in':
    case 'notin':
      return count === 0 ? "for 'in', 'notin' operators, values set can't be empty" : undefined;
    case '=':
    case '==':
    case '!=':
      return count === 1 ? undefined : 'exact-match compatibility requires one single value';
    case 'exists':
    case '!':
      return count === 0 ? undefined : 'values set must be empty for exists and does not exist';
    case 'gt':
    case 'lt':
      return count === 1 ? undefined : "for 'Gt', 'Lt' operators, exactly one value is required";
    default:
      return undefined;
  }
}

/** Go's strconv.ParseInt(text, 10, 64); undefined where it fails. */
export function parseInt64(text: string): bigint | undefined {
  if (!/^[+-]?[0-9]+$/.test(text) || text.length > 400) return undefined;
  const value = BigInt(text.startsWith('+') ? text.slice(1) : text);
  return value === BigInt.asIntN(64, value) ? value : undefined;
}

/** Recursive descent over the tokens, with the errors of the reference (apimachinery/pkg/labels). */
export class LabelSelectorParser {
  readonly #tokens: Tokenizer;
  readonly #path: Path | undefined;
  #next: Token;

  constructor(text: string, path: Path | undefined) {
    this.#tokens = new Tokenizer(text);
    this.#next = this.#tokens.next();
    this.#path = path;
  }

  /** @throws SelectorError */
  *parse(): Steps<LabelRequirement[]> {
    const requirements: LabelRequirement[] = [];
    for (;;) {
      const next = this.#peek();
      if (next.kind === 'end') return requirements;
      if (next.kind !== 'identifier' && next.kind !== '!') {
        throw new SelectorError(`found '${next.literal}', expected: !, identifier, or 'end of string'`);
      }
      requirements.push(yield* this.#requirementInContext());
      if (sliceIsOver()) yield;
      const after = this.#take();
      if (after.kind === 'end') return requirements;
      if (after.kind !== ',') throw new SelectorError(`found '${after.literal}', expected: ',' or 'end of string'`);
      const following = this.#peek();
      if (following.kind !== 'identifier' && following.kind !== '!') {
        throw new SelectorError(`found '${following.literal}', expected: identifier after ','`);
      }
    }
  }

  /** In the place of a key or value, `in` and `notin` are plain identifiers. */
  #peek(): Token {
    return asValue(this.#next);
  }

  #take(): Token {
    return asValue(this.#takeOperator());
  }

  #takeOperator(): Token {
    const token = this.#next;
    this.#next = this.#tokens.next();
    return token;
  }

  *#requirementInContext(): Steps<LabelRequirement> {
    try {
      return yield* this.#requirement();
    } catch (error) {
      if (error instanceof SelectorError) throw new SelectorError(`unable to parse requirement: ${error.message}`);
      throw error;
    }
  }

  *#requirement(): Steps<LabelRequirement> {
    let token = this.#take();
    const negated = token.kind === '!';
    if (negated) token = this.#take();
    if (token.kind !== 'identifier') throw new SelectorError(`found '${token.literal}', expected: identifier`);
    const key = token.literal;
    const messages = isQualifiedName(key);
    if (messages.length > 0) throw new SelectorError(fieldErrorText(invalid(this.#path, key, messages.join('; '))));
    if (negated) return newLabelRequirement(key, '!', [], this.#path);
    const next = this.#peek().kind;
    if (next === 'end' || next === ',') return newLabelRequirement(key, 'exists', [], this.#path);
    const operator = this.#operator();
    const values = operator === 'in' || operator === 'notin' ? yield* this.#values() : [this.#exactValue()];
    const sorted = yield* sortInSteps([...new Set(values)], compareUtf8);
    return yield* labelRequirement(key, operator, sorted, this.#path);
  }

  #operator(): LabelOperator {
    const token = this.#takeOperator();
    switch (token.kind) {
      case 'in':
      case 'notin':
      case '=':
      case '==':
      case '!=':
        return token.kind;
      case '>':
        return 'gt';
      case '<':
        return 'lt';
      default:
        throw new SelectorError(`found '${token.literal}', expected: ${BINARY_OPERATORS.join(', ')}`);
    }
  }

  *#values(): Steps<string[]> {
    const open = this.#take();
    if (open.kind !== '(') throw new SelectorError(`found '${open.literal}' expected: '('`);
    const first = this.#peek();
    if (first.kind === ')') {
      this.#take();
      return [''];
    }
    if (first.kind !== 'identifier' && first.kind !== ',') {
      throw new SelectorError(`found '${first.literal}', expected: ',', ')' or identifier`);
    }
    const values = yield* this.#identifiers();
    if (this.#take().kind !== ')') throw new SelectorError(`found '${first.literal}', expected: ')'`);
    return values;
  }

  *#identifiers(): Steps<string[]> {
    const values: string[] = [];
    for (;;) {
      if (sliceIsOver()) yield;
      const token = this.#take();
      const next = this.#peek();
      if (token.kind === 'identifier') {
        values.push(token.literal);
        if (next.kind === ')') return values;
        if (next.kind !== ',') throw new SelectorError(`found '${next.literal}', expected: ',' or ')'`);
      } else if (token.kind === ',') {
        // A value is empty before a first comma, between two commas and before the closing parenthesis.
        if (values.length === 0 || next.kind === ',' || next.kind === ')') values.push('');
        if (next.kind === ')') return values;
      } else {
        throw new SelectorError(`found '${token.literal}', expected: ',', or identifier`);
      }
    }
  }

  #exactValue(): string {
    const next = this.#peek();
    if (next.kind === 'end' || next.kind === ',') return '';
    const token = this.#take();
    if (token.kind !== 'identifier') throw new SelectorError(`found '${token.literal}', expected: identifier`);
    return token.literal;
  }
}

function asValue(token: Token): Token {
  return token.kind === 'in' || token.kind === 'notin' ? { kind: 'identifier', literal: token.literal } : token;
}
