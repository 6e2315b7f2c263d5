/**
 * Takes the texts of `kubectl explain` from the comments of installed packages:
 *   node --import tsx shared/api/descriptions/build-descriptions.ts OUT-FILE      (dist/descriptions.pack)
 * Part of the build; the result is never committed. It holds one file for each file of `gen/types`.
 */
import { readGen } from '#shared/api/gen-folder.ts';
import type { FieldEntry, ResourcesFile, StructEntry, TypesFile } from '#shared/api/gen-format.ts';
import { packFiles } from '#shared/api/packed-files.ts';
import { patchModel, scalarModels } from '#shared/api/scalar-models.ts';
import { setKey } from '#shared/apimachinery/json/json.ts';
import { DescriptionSources } from './choose-description.ts';
import { ClientNode } from './client-node.ts';
import { readClientParameters } from './client-parameters.ts';
import { readKubernetesModels } from './kubernetes-models.ts';
import { KubernetesTypes } from './kubernetes-types.ts';
import { fileOf, packageOf } from './load-descriptions.ts';

/** Model to texts by field; the text under the empty field name describes the model itself. */
type Descriptions = Record<string, Record<string, string>>;

const [out] = process.argv.slice(2);
if (out === undefined) throw new Error('usage: build-descriptions.ts OUT-FILE');
const { files } = readGen<ResourcesFile>('resources');
const fileNames = [...new Set(Object.values(files))];
const models = new Map<string, readonly FieldEntry[]>(fileNames.flatMap(modelsIn));
const sources = new DescriptionSources(readKubernetesModels(), new ClientNode(), new KubernetesTypes());

const found = new Map<string, Descriptions>(fileNames.map((file) => [file, {}]));
for (const [model, fields] of models) describe(model, fields);
for (const model of [...Object.values(scalarModels), patchModel]) describe(model, []);
for (const [model, texts] of readClientParameters())
  setKey(found.get(fileOf(files, model)) ?? {}, model, Object.fromEntries(texts));
packFiles(
  out,
  Array.from(found, ([file, texts]) => [file, JSON.stringify(texts)] as const),
);

function modelsIn(file: string): [string, readonly FieldEntry[]][] {
  const fieldsOf = (entry: StructEntry): readonly FieldEntry[] => ('fields' in entry ? entry.fields : entry);
  return Object.entries(readGen<TypesFile>(`types/${file}`).types).flatMap(([of, structs]) =>
    Object.entries(structs).map(([name, entry]): [string, readonly FieldEntry[]] => [`${of}.${name}`, fieldsOf(entry)]),
  );
}

function describe(model: string, fields: readonly FieldEntry[]): void {
  const texts: Record<string, string> = {};
  const siblings = otherVersions(model);
  for (const { name, values } of [{ name: '', values: undefined }, ...describedFields(packageOf(model), fields)]) {
    const text = sources.text({ model, field: name, siblings, ...(values !== undefined && { values }) });
    if (text !== '') setKey(texts, name, text);
  }
  setKey(found.get(fileOf(files, model)) ?? {}, model, texts);
}

/** The same type in the other versions of the group, newest first. */
function otherVersions(model: string): string[] {
  const own = packageOf(model);
  const group = packageOf(own);
  return Object.keys(files)
    .filter((other) => other !== own && packageOf(other) === group)
    .toSorted()
    .toReversed()
    .map((other) => other + model.slice(own.length));
}

/** The fields that upstream describes, with those of inline structs. */
function describedFields(
  inPackage: string,
  fields: readonly FieldEntry[],
): { name: string; values: readonly string[] | undefined }[] {
  return fields.flatMap(([name, , type, flags, extra]) => {
    if (name !== '') return flags.includes('u') ? [] : [{ name, values: extra?.en }];
    const inner = type.includes('.') ? type.slice(1) : `${inPackage}.${type.slice(1)}`;
    return describedFields(packageOf(inner), models.get(inner) ?? []);
  });
}
