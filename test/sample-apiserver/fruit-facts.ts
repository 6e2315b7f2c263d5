import type { Facts, GroupFacts, ResourceFacts, Verb } from '../../shared/api/facts.ts';
import type { Field, ScalarType, Schema, StructSchema } from '../../shared/apimachinery/schema.ts';

export const fruitGroup = 'fruits.quarterdeck.example';
export const fruitVersion = 'v1alpha1';

const models = 'example.quarterdeck.fruits.v1alpha1';
const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';
const verbs: readonly Verb[] = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];

const fruits: ResourceFacts = {
  group: fruitGroup,
  version: fruitVersion,
  resource: 'fruits',
  singular: 'fruit',
  kind: 'Fruit',
  listKind: 'FruitList',
  namespaced: true,
  shortNames: ['fr'],
  categories: ['all'],
  verbs,
  selectableFields: ['metadata.name', 'metadata.namespace'],
  subresources: [
    {
      name: 'status',
      kind: { group: fruitGroup, version: fruitVersion, kind: 'Fruit' },
      verbs: ['get', 'patch', 'update'],
    },
  ],
  columns: [],
  storageVersion: `${fruitGroup}/${fruitVersion}`,
  storagePrefix: `${fruitGroup}/fruits`,
  storageVersionHash: '',
  enabledByDefault: true,
};

const group: GroupFacts = {
  name: fruitGroup,
  groupPriority: 1000,
  versions: [
    { group: fruitGroup, version: fruitVersion, versionPriority: 15, enabledByDefault: true, resources: [fruits] },
  ],
};

/** The facts of a server with one resource of its own; `builtin` has the types that all servers share. */
export function fruitFacts(builtin: Facts): Facts {
  const types = fruitTypes(builtin);
  const isOwn = (name: string, version: string): boolean => name === fruitGroup && version === fruitVersion;
  return {
    groups: () => [group],
    registeredVersions: () => [...builtin.registeredVersions(), { group: fruitGroup, version: fruitVersion }],
    resource: (name, version, resource) => (isOwn(name, version) && resource === 'fruits' ? fruits : undefined),
    byKind: (name, version, kind) => (isOwn(name, version) && kind === 'Fruit' ? fruits : undefined),
    schema: (name, version, kind) =>
      (isOwn(name, version) ? types.get(`${models}.${kind}`) : undefined) ?? builtin.schema(name, version, kind),
    model: (name) => types.get(name) ?? builtin.model(name),
  };
}

function fruitTypes(builtin: Facts): ReadonlyMap<string, StructSchema> {
  const typeMeta = [field('kind', 0, scalar('string'), true), field('apiVersion', 0, scalar('string'), true)];
  const spec = struct('FruitSpec', [
    field('color', 1, scalar('string'), true),
    field('grams', 2, scalar('int32'), true),
  ]);
  const status = struct('FruitStatus', [field('ripe', 1, scalar('bool'), true)]);
  const fruit = struct(
    'Fruit',
    [
      ...typeMeta,
      field('metadata', 1, builtin.model(`${meta}.ObjectMeta`)),
      field('spec', 2, spec),
      field('status', 3, status),
    ],
    'Fruit',
  );
  const list = struct(
    'FruitList',
    [
      ...typeMeta,
      field('metadata', 1, builtin.model(`${meta}.ListMeta`)),
      field('items', 2, { kind: 'list', items: fruit }),
    ],
    'FruitList',
  );
  return new Map([spec, status, fruit, list].map((type) => [type.name, type]));
}

function struct(goName: string, fields: readonly Field[], kind?: string): StructSchema {
  return {
    kind: 'struct',
    name: `${models}.${goName}`,
    goName,
    fields,
    flat: fields,
    byName: new Map(fields.map((one) => [one.name, one])),
    ...(kind === undefined ? {} : { gvk: { group: fruitGroup, version: fruitVersion, kind } }),
  };
}

function field(name: string, number: number, schema: Schema | undefined, omitEmpty = false): Field {
  if (schema === undefined) throw new Error(`no schema of ${name}`);
  const goName = name.slice(0, 1).toUpperCase() + name.slice(1);
  return {
    name,
    goName,
    number,
    schema,
    inline: false,
    pointer: false,
    omitEmpty,
    omitZero: false,
    required: name === 'items',
  };
}

function scalar(type: ScalarType): Schema {
  return { kind: 'scalar', type };
}
