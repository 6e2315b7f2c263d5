import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { getKey, isObject, setKey, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
// Makes the recording small: schemas without their rules and objects stand once each, in a line of their own; cases
// name them by number, and rules by the places of the schemas that have them. Each case once, in the order of the
// texts.
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { looseText } from '#shared/serializer/json/loose.ts';
import { parseJson } from '#shared/serializer/json/parse.ts';

const [, , recording = '', folder = ''] = process.argv;
const rulesKey = 'x-kubernetes-validations';

class Table {
  readonly #numbers = new Map<string, number>();

  numberOf(value: JsonValue): number {
    const text = looseText(value);
    const number = this.#numbers.get(text) ?? this.#numbers.size;
    this.#numbers.set(text, number);
    return number;
  }

  toString(): string {
    return `[${[...this.#numbers.keys()].join(',\n')}]`;
  }
}

/**
 * Takes the rules out of a schema, into a map by place: `` for the schema itself, `/properties/a` for what is below it,
 * `|` for a slash in a name.
 */
function withoutRules(value: JsonValue, place: string, rules: JsonObject): JsonValue {
  if (Array.isArray(value)) return value.map((item, index) => withoutRules(item, `${place}/${index}`, rules));
  if (!isObject(value)) return value;
  const out: JsonObject = {};
  for (const key of Object.keys(value)) {
    const below = getKey(value, key) as JsonValue;
    if (key === rulesKey) setKey(rules, place, below);
    else setKey(out, key, withoutRules(below, `${place}/${key.replaceAll('/', '|')}`, rules));
  }
  return out;
}

const [schemas, objects] = [new Table(), new Table()];
const cases = {
  compilations: new Set<string>(),
  definitions: new Set<string>(),
  paths: new Set<string>(),
  validations: new Set<string>(),
};
for (const line of readFileSync(recording, 'utf8')
  .split('\n')
  .filter((text) => text !== '')
  .toSorted()) {
  const entry = atOnce(parseJson(Buffer.from(line))) as JsonObject;
  if (entry['definition'] !== undefined) {
    cases.definitions.add(looseText(entry));
    continue;
  }
  const at: JsonObject = {};
  entry['schema'] = schemas.numberOf(withoutRules(entry['schema'] ?? null, '', at));
  entry['at'] = at;
  for (const key of ['object', 'old'] as const) if (entry[key] !== undefined) entry[key] = objects.numberOf(entry[key]);
  cases[entry['rules'] !== undefined ? 'compilations' : entry['left'] === undefined ? 'paths' : 'validations'].add(
    looseText(entry),
  );
}
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'parts.json'), `{"schemas":${schemas.toString()},\n"objects":${objects.toString()}}\n`);
for (const [name, lines] of Object.entries(cases)) {
  writeFileSync(join(folder, `${name}.jsonl`), `${[...lines].join('\n')}\n`);
  console.log(`${name}: ${lines.size}`);
}
