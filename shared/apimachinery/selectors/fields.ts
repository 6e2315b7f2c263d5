import { getKey } from '#shared/apimachinery/json/json.ts';
import { sliceIsOver, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { sortInSteps } from '#shared/apimachinery/slices/sort-in-steps.ts';
import { compareUtf8 } from '#shared/apimachinery/text/go-format.ts';
import { SelectorError } from './label-selector-parser.ts';

/** One term of a field selector. */
export interface FieldRequirement {
  readonly field: string;
  readonly operator: '=' | '!=';
  readonly value: string;
}

/** A field selector: all terms must hold; a selector without terms selects everything. */
export type FieldSelector = readonly FieldRequirement[];

/**
 * Renames or refuses a field; throws to refuse. Returning two empty strings drops the term.
 * The error's message is shown to the client as it is.
 */
export type FieldTransform = (field: string, value: string) => readonly [field: string, value: string];

/**
 * Parses `metadata.name=a,status.phase!=Running`; `\\`, `\,` and `\=` are escapes in values.
 * @throws SelectorError with the reference's text (apimachinery/pkg/fields)
 */
export function* parseFieldSelector(text: string): Steps<FieldSelector> {
  const requirements: FieldRequirement[] = [];
  for (const term of yield* sortInSteps(yield* splitTerms(text), compareUtf8)) {
    if (sliceIsOver()) yield;
    if (term === '') continue;
    const equals = term.indexOf('=');
    if (equals < 0) throw new SelectorError(`invalid selector: '${text}'; can't understand '${term}'`);
    const negated = term.charAt(equals - 1) === '!';
    const field = term.slice(0, negated ? equals - 1 : equals);
    const width = !negated && term.charAt(equals + 1) === '=' ? 2 : 1;
    const value = unescapeValue(term.slice(equals + width));
    if (field !== '' || value !== '') requirements.push({ field, operator: negated ? '!=' : '=', value });
  }
  return requirements;
}

/** Applies a transformation to each term. */
export function* transformFields(selector: FieldSelector, transform: FieldTransform): Steps<FieldSelector> {
  const transformed: FieldRequirement[] = [];
  for (const { field, operator, value } of selector) {
    const [newField, newValue] = transform(field, value);
    if (newField !== '' || newValue !== '') transformed.push({ field: newField, operator, value: newValue });
    if (sliceIsOver()) yield;
  }
  return transformed;
}

function* splitTerms(text: string): Steps<string[]> {
  const terms: string[] = [];
  if (!text.includes('\\')) return text.split(',');
  let start = 0;
  for (let i = 0; i < text.length; i++) {
    const char = text.charAt(i);
    if (char === '\\') i++;
    else if (char === ',') {
      terms.push(text.slice(start, i));
      start = i + 1;
      if (sliceIsOver()) yield;
    }
  }
  return [...terms, text.slice(start)];
}

function unescapeValue(text: string): string {
  if (!/[\\,=]/.test(text)) return text;
  let out = '';
  let escaped = false;
  for (const char of text) {
    if (escaped) {
      if (char !== '\\' && char !== ',' && char !== '=') throw badEscape(`\\${char}`);
      out += char;
      escaped = false;
    } else if (char === '\\') escaped = true;
    // The reference prints the character's number.
    else if (char === ',' || char === '=')
      throw new SelectorError(`invalid field selector: unescaped character in value: ${char.charCodeAt(0)}`);
    else out += char;
  }
  if (escaped) throw badEscape('\\');
  return out;
}

function badEscape(sequence: string): SelectorError {
  return new SelectorError(`invalid field selector: invalid escape sequence: ${sequence}`);
}

/** Escapes a value for use in a field selector. */
export function escapeFieldValue(value: string): string {
  return value.replace(/[\\,=]/g, (char) => `\\${char}`);
}

/** Canonical text, in the order of the terms. */
export function formatFieldSelector(selector: FieldSelector): string {
  return selector.map((item) => `${item.field}${item.operator}${escapeFieldValue(item.value)}`).join(',');
}

/** True if an object with these field values is selected; a missing field is the empty string. */
export function matchesFields(selector: FieldSelector, fields: Readonly<Record<string, string>>): boolean {
  if (selector.length > fewTerms)
    return termsOf(selector).every((terms) => terms.hold(getKey(fields, terms.field) ?? ''));
  return selector.every((item) => ((getKey(fields, item.field) ?? '') === item.value) === (item.operator === '='));
}

/** Up to this number, terms are checked one by one. */
const fewTerms = 16;

/** All terms of one field. */
class FieldTerms {
  readonly field: string;
  readonly #wanted = new Set<string>();
  readonly #unwanted = new Set<string>();

  constructor(field: string) {
    this.field = field;
  }

  add({ operator, value }: FieldRequirement): void {
    (operator === '=' ? this.#wanted : this.#unwanted).add(value);
  }

  hold(value: string): boolean {
    if (this.#wanted.size > 1 || (this.#wanted.size === 1 && !this.#wanted.has(value))) return false;
    return !this.#unwanted.has(value);
  }
}

const termsOfSelectors = new WeakMap<FieldSelector, readonly FieldTerms[]>();

/** The terms grouped by field: matching an object takes one lookup a field, however many terms there are. */
function termsOf(selector: FieldSelector): readonly FieldTerms[] {
  let all = termsOfSelectors.get(selector);
  if (all !== undefined) return all;
  const byField = new Map<string, FieldTerms>();
  for (const term of selector) {
    let terms = byField.get(term.field);
    if (terms === undefined) byField.set(term.field, (terms = new FieldTerms(term.field)));
    terms.add(term);
  }
  all = [...byField.values()];
  termsOfSelectors.set(selector, all);
  return all;
}

/** The value that the selector demands for a field, if it demands one. */
export function requiredFieldValue(selector: FieldSelector, field: string): string | undefined {
  return selector.find((item) => item.operator === '=' && item.field === field)?.value;
}
