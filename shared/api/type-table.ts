import { getKey } from '#shared/apimachinery/json/json.ts';
import type { StructSchema } from '#shared/apimachinery/schema/schema.ts';
import { readGen } from './gen-folder.ts';
import type { ResourcesFile, StructEntry, TypesFile } from './gen-format.ts';
import { BuiltinStruct } from './struct-schema.ts';
import type { StructSource } from './struct-schema.ts';

/** The structs of `gen/types`; a file is read at the first use of one of its types. */
export class TypeTable implements StructSource {
  /** Package of models to file. */
  readonly #files: Readonly<Record<string, string>>;
  readonly #fileNames: ReadonlySet<string>;
  readonly #packages = new Map<string, string>();
  readonly #loaded = new Map<string, TypesFile>();
  readonly #structs = new Map<string, BuiltinStruct>();
  readonly #gvks = new Map<string, NonNullable<StructSchema['gvk']>>();
  readonly #kinds = new Map<string, string>();

  constructor({ versions, files }: ResourcesFile) {
    this.#files = files;
    this.#fileNames = new Set(Object.values(files));
    for (const entry of versions) this.#packages.set(keyOf(entry.group, entry.version, ''), entry.package);
  }

  schema(group: string, version: string, kind: string): StructSchema | undefined {
    const file = fileOfGroup(group);
    if (!this.#fileNames.has(file)) return undefined;
    this.#load(file);
    let model = this.#kinds.get(keyOf(group, version, kind));
    if (model === undefined) {
      this.#load('meta');
      model = this.#kinds.get(keyOf('', '', kind));
    }
    return model === undefined ? undefined : this.struct(model);
  }

  model(name: string): StructSchema | undefined {
    const split = name.lastIndexOf('.');
    const packageName = name.slice(0, Math.max(0, split));
    if (!Object.hasOwn(this.#files, packageName)) return undefined;
    const types = getKey(this.#load(this.#files[packageName] ?? '').types, packageName) ?? {};
    return Object.hasOwn(types, name.slice(split + 1)) ? this.struct(name) : undefined;
  }

  struct(model: string): StructSchema {
    let struct = this.#structs.get(model);
    if (struct === undefined) {
      struct = new BuiltinStruct(model, this);
      this.#structs.set(model, struct);
    }
    return struct;
  }

  entry(model: string): StructEntry {
    const split = model.lastIndexOf('.');
    const packageName = model.slice(0, split);
    const entry = getKey(
      getKey(this.#load(getKey(this.#files, packageName) ?? '').types, packageName),
      model.slice(split + 1),
    );
    if (entry === undefined) throw new Error(`no facts of type ${model}`);
    return entry;
  }

  gvk(model: string): StructSchema['gvk'] {
    this.#load(getKey(this.#files, model.slice(0, model.lastIndexOf('.'))) ?? '');
    return this.#gvks.get(model);
  }

  #load(file: string): TypesFile {
    let types = this.#loaded.get(file);
    if (types === undefined) {
      types = readGen<TypesFile>(`types/${file}`);
      this.#loaded.set(file, types);
      this.#register(file, types);
    }
    return types;
  }

  #register(file: string, types: TypesFile): void {
    const group = file === 'core' ? '' : file === 'meta' ? 'meta.k8s.io' : file;
    for (const [version, kinds] of Object.entries(types.kinds)) {
      const own = version === '' ? 'io.k8s.apimachinery.pkg.apis.meta.v1' : this.#packageOf(group, version, types);
      for (const entry of kinds) {
        const [kind = '', elsewhere] = entry.split('=');
        const model = elsewhere ?? `${own}.${kind}`;
        this.#kinds.set(keyOf(version === '' ? '' : group, version, kind), model);
        // A kind that belongs to every group version (DeleteOptions) has no single group: it counts as v1 of the core
        // group.
        const gvk = version === '' ? { group: '', version: 'v1', kind } : { group, version, kind };
        if (!this.#gvks.has(model)) this.#gvks.set(model, gvk);
      }
    }
  }

  /** The table of resources lacks unserved versions; their package is found by the version at its end. */
  #packageOf(group: string, version: string, types: TypesFile): string {
    const known = this.#packages.get(keyOf(group, version, ''));
    return known ?? Object.keys(types.types).find((name) => name.endsWith(`.${version}`)) ?? '';
  }
}

function fileOfGroup(group: string): string {
  if (group === '') return 'core';
  return group === 'meta.k8s.io' ? 'meta' : group;
}

/** One key for a name in a group version. */
export function keyOf(group: string, version: string, name: string): string {
  return `${group}/${version}/${name}`;
}
