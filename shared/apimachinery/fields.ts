import { compareUtf8 } from './go-format.ts';
import { SelectorError } from './label-selector-parser.ts';

/** One term of a field selector. */
export interface FieldRequirement {
  readonly field: string;
  readonly operator: '=' | '!=';
  readonly value: string;
}

/** A field selector: all terms must hold; none selects everything. */
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
export function parseFieldSelector(text: string, transform?: FieldTransform): FieldSelector {
  const requirements: FieldRequirement[] = [];
  for (const term of splitTerms(text).sort(compareUtf8)) {
    if (term === '') continue;
    const equals = term.indexOf('=');
    if (equals < 0) throw new SelectorError(`invalid selector: '${text}'; can't understand '${term}'`);
    const negated = term.charAt(equals - 1) === '!';
    const field = term.slice(0, negated ? equals - 1 : equals);
    const width = !negated && term.charAt(equals + 1) === '=' ? 2 : 1;
    requirements.push({ field, operator: negated ? '!=' : '=', value: unescapeValue(term.slice(equals + width)) });
  }
  return transformFields(requirements, transform ?? ((field, value) => [field, value]));
}

/** Applies a transformation to each term. */
export function transformFields(selector: FieldSelector, transform: FieldTransform): FieldSelector {
  return selector.flatMap((requirement) => {
    const [field, value] = transform(requirement.field, requirement.value);
    return field === '' && value === '' ? [] : [{ field, operator: requirement.operator, value }];
  });
}

function splitTerms(text: string): string[] {
  const terms: string[] = [];
  let start = 0;
  for (let i = 0; i < text.length; i++) {
    const char = text.charAt(i);
    if (char === '\\') i++;
    else if (char === ',') {
      terms.push(text.slice(start, i));
      start = i + 1;
    }
  }
  return [...terms, text.slice(start)];
}

function unescapeValue(text: string): string {
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
  return selector.every((item) => {
    const value = Object.hasOwn(fields, item.field) ? fields[item.field] : '';
    return (value === item.value) === (item.operator === '=');
  });
}

/** The value that the selector demands for a field, if it demands one. */
export function requiredFieldValue(selector: FieldSelector, field: string): string | undefined {
  return selector.find((item) => item.operator === '=' && item.field === field)?.value;
}
