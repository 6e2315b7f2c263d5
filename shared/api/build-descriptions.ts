import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
/**
 * Takes the texts of `kubectl explain` from the declaration comments of the installed @kubernetes/client-node:
 *   node --import tsx shared/api/build-descriptions.ts OUT-FOLDER      (dist/descriptions)
 * Part of the build; the result is never committed. One file for each file of `gen/types`.
 */
import { getKey, setKey } from '#shared/apimachinery/json/json.ts';
import { readGen } from './gen-folder.ts';
import type { FieldEntry, ResourcesFile, StructEntry, TypesFile } from './gen-format.ts';
import { parseDeclaration } from './parse-declaration.ts';
import type { Declaration } from './parse-declaration.ts';

/** Model to texts by field; the text under the empty field name describes the model itself. */
type Descriptions = Record<string, Record<string, string>>;

const [out] = process.argv.slice(2);
if (out === undefined) throw new Error('usage: build-descriptions.ts OUT-FOLDER');
const models = join(dirname(createRequire(import.meta.url).resolve('@kubernetes/client-node')), 'gen/models');
const declarations = new Map<string, Declaration | undefined>();

mkdirSync(out, { recursive: true });
for (const file of new Set(Object.values(readGen<ResourcesFile>('resources').files))) {
  const { types } = readGen<TypesFile>(`types/${file}`);
  const found: Descriptions = {};
  for (const [packageName, structs] of Object.entries(types)) {
    for (const [name, entry] of Object.entries(structs)) {
      const declaration = declarationOf(packageName, name);
      if (declaration === undefined) continue;
      const fields = 'fields' in entry ? entry.fields : entry;
      setKey(found, `${packageName}.${name}`, textsOf(declaration, describedNames(fields, structs)));
    }
  }
  writeFileSync(join(out, `${file}.json`), JSON.stringify(found));
}

/** Names of the fields that upstream describes, with those of inline structs of the same package. */
function describedNames(fields: readonly FieldEntry[], structs: Readonly<Record<string, StructEntry>>): string[] {
  return fields.flatMap(([name, , type, flags]) => {
    if (name !== '') return flags.includes('u') ? [] : [name];
    const inner = getKey(structs, type.slice(1));
    if (inner === undefined) return ['kind', 'apiVersion'];
    return describedNames('fields' in inner ? inner.fields : inner, structs);
  });
}

function textsOf({ text, fields }: Declaration, names: readonly string[]): Record<string, string> {
  const texts: Record<string, string> = text === '' ? {} : { '': text };
  for (const name of names) {
    const field = spellings(name).flatMap((spelling) => fields.get(spelling) ?? [])[0];
    // A field that is only a reference has no comment of its own upstream: it gets that of the class it refers to.
    const comment = field?.text === '' ? declared(field.type)?.text : field?.text;
    if (comment !== undefined && comment !== '') setKey(texts, name, comment);
  }
  return texts;
}

/** How the client's generator may have written a name that TypeScript reserves. */
function spellings(name: string): string[] {
  return [name, `_${name}`, name.replace(/^\$/, ''), name.replaceAll('-', '_'), `_${name.replaceAll('-', '_')}`];
}

/** `V1Pod`, or with the group before it where several groups have the kind: `CoreV1Event`. */
function declarationOf(packageName: string, name: string): Declaration | undefined {
  const [version = '', group = ''] = packageName.split('.').toReversed();
  return declared(capital(group) + capital(version) + name) ?? declared(capital(version) + name);
}

function declared(className: string): Declaration | undefined {
  if (!declarations.has(className)) {
    const path = join(models, `${className}.d.ts`);
    declarations.set(className, existsSync(path) ? parseDeclaration(readFileSync(path, 'utf8')) : undefined);
  }
  return declarations.get(className);
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
