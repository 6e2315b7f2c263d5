import { safeParse } from '#shared/serializer/json/safe-parse.ts';

/** Go's names for the kinds of JSON values, by the first character of the value; all other values are numbers. */
const kinds: ReadonlyMap<string, string> = new Map([
  ['{', 'object'],
  ['[', 'array'],
  ['"', 'string'],
  ['t', 'bool'],
  ['f', 'bool'],
  ['n', 'null'],
]);

/** Go's name for the kind of a JSON value. */
export function jsonKind(text: string): string {
  return kinds.get(text.charAt(0)) ?? 'number';
}

/**
 * Names and values of a JSON object as they are written, in order, repeated ones too; undefined if the text is a JSON
 * value but no object. @throws SyntaxError if the text is no JSON
 */
export function jsonMembers(text: string): [name: string, value: string][] | undefined {
  const whole = text.trim();
  const value = safeParse(whole);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const members: [string, string][] = [];
  for (let at = behindSpace(whole, 1); whole[at] === '"';) {
    const nameEnd = endOfString(whole, at);
    const from = behindSpace(whole, whole.indexOf(':', nameEnd) + 1);
    const end = endOfValue(whole, from);
    members.push([safeParse(whole.slice(at, nameEnd)) as string, whole.slice(from, end).trimEnd()]);
    at = behindSpace(whole, end + 1);
  }
  return members;
}

function behindSpace(text: string, from: number): number {
  let at = from;
  while (text.charCodeAt(at) <= 0x20) at++;
  return at;
}

/** The index after the closing quote of the string that begins at `start`. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

/** The index of the comma or bracket after the value that begins at `start`. */
function endOfValue(text: string, start: number): number {
  let depth = 0;
  for (let at = start; ;) {
    const character = text[at] ?? '}';
    if (character === '"') at = endOfString(text, at);
    else if (depth === 0 && (character === ',' || character === '}')) return at;
    else {
      if (character === '{' || character === '[') depth++;
      else if (character === '}' || character === ']') depth--;
      at++;
    }
  }
}
