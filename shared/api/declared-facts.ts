import type { StructSchema } from '#shared/apimachinery/schema/schema.ts';
import type { Facts, GroupFacts, ResourceFacts, Verb } from './facts.ts';
import type { FieldEntry, StructEntry } from './gen-format.ts';
import { BuiltinStruct, type StructSource } from './struct-schema.ts';

/** One resource with a group version of its own, as a server outside of this project declares it. */
export interface ResourceDeclaration {
  readonly group: string;
  readonly version: string;
  /** Plural, lower case. */
  readonly resource: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  /**
   * Structs by name; `<Kind>Spec` and `<Kind>Status` are the kind's `spec` and `status`. A kind with `<Kind>Status` has
   * the subresource `status`. Types of fields are as in {@link FieldEntry}: `#Other` is a struct of this declaration.
   */
  readonly types: Readonly<Record<string, readonly FieldEntry[]>>;
}

const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';
const typeMeta: FieldEntry = ['', 0, `#${meta}.TypeMeta`, 'i'];
const verbs: readonly Verb[] = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];

/** The facts of a server with one resource; `builtin` has the types that all servers share. */
export function declaredFacts(builtin: Facts, declaration: ResourceDeclaration): Facts {
  const { group: name, version, kind } = declaration;
  const resource = resourceFacts(declaration);
  const types = new DeclaredTypes(builtin, declaration);
  const ofVersion = { group: name, version, versionPriority: 15, enabledByDefault: true, resources: [resource] };
  const group: GroupFacts = { name, groupPriority: 1000, versions: [ofVersion] };
  const isOwn = (ofGroup: string, inVersion: string): boolean => ofGroup === name && inVersion === version;
  return {
    groups: () => [group],
    registeredVersions: () => [...builtin.registeredVersions(), { group: name, version }],
    resource: (ofGroup, inVersion, wanted) =>
      isOwn(ofGroup, inVersion) && wanted === resource.resource ? resource : undefined,
    byKind: (ofGroup, inVersion, wanted) => (isOwn(ofGroup, inVersion) && wanted === kind ? resource : undefined),
    schema: (ofGroup, inVersion, wanted) =>
      (isOwn(ofGroup, inVersion) ? types.byName(wanted) : undefined) ?? builtin.schema(ofGroup, inVersion, wanted),
    model: (model) => types.model(model) ?? builtin.model(model),
  };
}

function resourceFacts(declaration: ResourceDeclaration): ResourceFacts {
  const { group, version, resource, kind, namespaced, shortNames = [], categories = [], types } = declaration;
  const status = { name: 'status', kind: { group, version, kind }, verbs: ['get', 'patch', 'update'] };
  return {
    group,
    version,
    resource,
    singular: kind.toLowerCase(),
    kind,
    listKind: `${kind}List`,
    namespaced,
    shortNames,
    categories,
    verbs,
    selectableFields: ['metadata.name', ...(namespaced ? ['metadata.namespace'] : [])],
    subresources: Object.hasOwn(types, `${kind}Status`) ? [status] : [],
    columns: [],
    storageVersion: `${group}/${version}`,
    storagePrefix: `${group}/${resource}`,
    storageVersionHash: '',
    enabledByDefault: true,
  };
}

/** The kind, its list and the structs of a declaration, each made at its first use. */
class DeclaredTypes implements StructSource {
  readonly #builtin: Facts;
  readonly #declaration: ResourceDeclaration;
  /** Package of the models: `example.quarterdeck.fruits.v1alpha1` of `fruits.quarterdeck.example/v1alpha1`. */
  readonly #prefix: string;
  readonly #entries: ReadonlyMap<string, readonly FieldEntry[]>;
  readonly #structs = new Map<string, BuiltinStruct>();

  constructor(builtin: Facts, declaration: ResourceDeclaration) {
    const { group, version, kind, types } = declaration;
    this.#builtin = builtin;
    this.#declaration = declaration;
    this.#prefix = `${group.split('.').toReversed().join('.')}.${version}.`;
    const part = (name: string, number: number, type: string): FieldEntry[] =>
      Object.hasOwn(types, type) ? [[name, number, `#${type}`, 'e']] : [];
    this.#entries = new Map([
      ...Object.entries(types),
      [
        kind,
        [
          typeMeta,
          ['metadata', 1, `#${meta}.ObjectMeta`, 'e', { g: 'ObjectMeta' }],
          ...part('spec', 2, `${kind}Spec`),
          ...part('status', 3, `${kind}Status`),
        ],
      ],
      [
        `${kind}List`,
        [typeMeta, ['metadata', 1, `#${meta}.ListMeta`, 'e', { g: 'ListMeta' }], ['items', 2, `[]#${kind}`, 'r']],
      ],
    ]);
  }

  byName(name: string): StructSchema | undefined {
    if (!this.#entries.has(name)) return undefined;
    let struct = this.#structs.get(name);
    if (struct === undefined) this.#structs.set(name, (struct = new BuiltinStruct(this.#prefix + name, this)));
    return struct;
  }

  model(model: string): StructSchema | undefined {
    return model.startsWith(this.#prefix) ? this.byName(model.slice(this.#prefix.length)) : undefined;
  }

  struct(model: string): StructSchema {
    const found = this.model(model) ?? this.#builtin.model(model);
    if (found === undefined) throw new Error(`no type ${model}, which a declared field names`);
    return found;
  }

  entry(model: string): StructEntry {
    return this.#entries.get(model.slice(this.#prefix.length)) ?? [];
  }

  gvk(model: string): StructSchema['gvk'] {
    const { group, version, kind } = this.#declaration;
    const name = model.slice(this.#prefix.length);
    return name === kind || name === `${kind}List` ? { group, version, kind: name } : undefined;
  }
}
