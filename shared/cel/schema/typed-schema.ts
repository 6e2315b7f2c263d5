import type { JsonValue } from '#shared/apimachinery/json/json.ts';

/** The members of a structural schema that expressions use. Members may be getters, as schemas are read lazily. */
export interface TypedSchema {
  /** The type; empty if the schema has none. */
  readonly type: string;
  /** The format; empty if the schema has none. */
  readonly declaredFormat: string;
  readonly nullable: boolean;
  readonly intOrString: boolean;
  readonly embedded: boolean;
  readonly preserveUnknown: boolean;
  /** Undefined if the schema has no default, or a null default. */
  readonly default: JsonValue | undefined;
  readonly listType: string;
  readonly listMapKeys: readonly string[];
  /** The `x-kubernetes-map-type`; empty if the schema has none. */
  readonly mapType: string;
  readonly required: readonly string[];
  readonly enum: readonly JsonValue[];
  readonly properties: ReadonlyMap<string, TypedSchema>;
  readonly items: TypedSchema | undefined;
  /** The schema of properties that are not declared. */
  readonly additional: TypedSchema | undefined;
  number(key: 'maxItems' | 'maxLength' | 'maxProperties'): number | undefined;
}

/** Looks up properties by name. They are never enumerated, as there may be 100,000. */
export type PropertyLookUp = Pick<TypedSchema['properties'], 'get'>;

const text: TypedSchema = {
  type: 'string',
  declaredFormat: '',
  nullable: false,
  intOrString: false,
  embedded: false,
  preserveUnknown: false,
  default: undefined,
  listType: '',
  listMapKeys: [],
  mapType: '',
  required: [],
  enum: [],
  properties: new Map(),
  items: undefined,
  additional: undefined,
  number: () => undefined,
};
const names: TypedSchema = {
  ...text,
  type: 'object',
  properties: new Map([
    ['name', text],
    ['generateName', text],
  ]),
};
const typeAndNames: ReadonlyMap<string, TypedSchema> = new Map([
  ['kind', text],
  ['apiVersion', text],
  ['metadata', names],
]);

/**
 * The properties of a resource, which always include kind, apiVersion and the names in metadata. If the schema does not
 * declare all of these, expressions see nothing else of the metadata
 * (k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model).
 */
export function resourceProperties({ properties }: TypedSchema): PropertyLookUp {
  const metadata = properties.get('metadata');
  const declared =
    properties.get('kind')?.type === 'string' &&
    properties.get('apiVersion')?.type === 'string' &&
    metadata?.type === 'object' &&
    metadata.properties.get('name')?.type === 'string' &&
    metadata.properties.get('generateName')?.type === 'string';
  return declared ? properties : { get: (name) => typeAndNames.get(name) ?? properties.get(name) };
}
