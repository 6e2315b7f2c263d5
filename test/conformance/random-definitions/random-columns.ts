import { columnPaths, columnTypes } from '#servers/extensions/columns/testdata/column-cases.ts';
import { isObject, type JsonObject } from '#shared/apimachinery/json/json.ts';
import type { Random } from '#test/conformance/random-rules/random.ts';

/** Columns, of which some show nothing, and some cannot be read, which hides those after them. */
export function randomColumns(random: Random, schema: JsonObject): JsonObject[] {
  return Array.from({ length: random.below(8) }, (_, index) => ({
    name: `Column ${index}`,
    type: random.pick(columnTypes),
    jsonPath: randomPath(random, schema),
    ...(random.oneOf(6) && { format: random.pick(['int32', 'int64', 'float', 'double', 'byte', 'date', 'password']) }),
    ...(random.oneOf(4) && { description: random.pick(['shown <so>', 'two\nlines', '']) }),
    ...(random.oneOf(4) && { priority: random.below(3) }),
  }));
}

function randomPath(random: Random, schema: JsonObject): string {
  if (random.oneOf(15)) return random.pick(columnPaths);
  if (random.oneOf(12)) return random.pick(['.metadata.name', '.metadata.creationTimestamp', '.kind', '.metadata']);
  const made = `.spec${stepsInto(random, schema)}`;
  return random.oneOf(12) ? edited(random, made) : made;
}

function stepsInto(random: Random, schema: JsonObject): string {
  let text = '';
  let at = schema;
  while (!random.oneOf(6)) {
    const { properties, additionalProperties, items } = at;
    if (isObject(items)) {
      text += listStep(random, items);
      at = items;
    } else if (isObject(properties) && Object.keys(properties).length > 0) {
      const name = random.pick(Object.keys(properties));
      text += nameStep(random, name);
      const property = properties[name];
      at = isObject(property) ? property : {};
    } else if (isObject(additionalProperties)) {
      text += nameStep(random, random.pick(['a', 'x-y', 'z']));
      at = additionalProperties;
    } else break;
  }
  return random.oneOf(10) ? text + random.pick(['.a', '.missing', '[0]', '.*', '..', '.metadata.labels.a']) : text;
}

function nameStep(random: Random, name: string): string {
  const escaped = name.replaceAll('.', String.raw`\.`);
  return random.oneOf(4) ? `['${escaped}']` : random.oneOf(20) ? `['${escaped}','a']` : `.${escaped}`;
}

function listStep(random: Random, items: JsonObject): string {
  const { properties } = items;
  const names = isObject(properties) ? Object.keys(properties).map((name) => name.replaceAll('.', String.raw`\.`)) : [];
  if (random.oneOf(2) || names.length === 0)
    return random.pick([
      '[0]',
      '[-1]',
      '[*]',
      '[1]',
      '[0:1]',
      '[1:]',
      '[:-1]',
      '[0,1]',
      '[::2]',
      '[?(@)]',
      '[?(@=="a")]',
    ]);
  const name = random.pick(names);
  const operator = random.pick(['==', '==', '==', '!=', '<', '>=']);
  return random.oneOf(3)
    ? `[?(@.${name})]`
    : `[?(@.${name}${operator}${random.pick(['"a"', "'abc'", '1', '0.5', 'true', '@.a', '2.0'])})]`;
}

function edited(random: Random, text: string): string {
  const at = 1 + random.below(text.length);
  const inserted = random.pick([
    '',
    '.',
    '..',
    '[',
    ']',
    '*',
    '}',
    '{',
    '}{.spec',
    "'",
    '"',
    ' ',
    '@',
    '$',
    ',',
    '(',
    '5',
    '\\',
  ]);
  return text.slice(0, at) + inserted + text.slice(at + random.below(2));
}
