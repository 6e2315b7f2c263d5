import type { FieldEntry, StructEntry } from '#shared/api/gen-format.ts';
import { BuiltinStruct, type StructSource } from '#shared/api/struct-schema.ts';
import { formatGroupVersion, type GroupVersionKind } from '#shared/apimachinery/gvk.ts';
import type { StructSchema } from '#shared/apimachinery/schema/schema.ts';

/** A kind of configuration file. */
export interface ConfigurationKind {
  readonly apiVersion: string;
  readonly kind: string;
  /** The struct that the file holds; absent for a kind that is known, but belongs to another reader. */
  readonly struct?: string;
  /** The reference's type, for the error of another reader's kind: `apiserver.TracingConfiguration`. */
  readonly goType?: string;
}

/** The kinds that a reader of configuration files knows, with their types. */
export interface ConfigurationScheme {
  /** Whether unknown and repeated fields are errors. */
  readonly isStrict: boolean;
  readonly kinds: readonly ConfigurationKind[];
  /** The kind that the error of another reader's kind names, where it names one. */
  readonly expected?: string;
  /** The error of another reader's kind, where it is one of its own. */
  readonly refusal?: (gvk: GroupVersionKind) => string;
  /** Fields of the structs by name, without `apiVersion` and `kind` of the kinds themselves. */
  readonly types: Readonly<Record<string, readonly FieldEntry[]>>;
}

const typeMeta = 'TypeMeta';
const typeMetaFields: readonly FieldEntry[] = [
  ['kind', 0, 'string', 'e'],
  ['apiVersion', 0, 'string', 'e', { g: 'APIVersion' }],
];

export function kindIn(scheme: ConfigurationScheme, gvk: GroupVersionKind): ConfigurationKind | undefined {
  const apiVersion = formatGroupVersion(gvk);
  return scheme.kinds.find((known) => known.kind === gvk.kind && known.apiVersion === apiVersion);
}

/** The schema of a kind, whose structs have the package of its version in error texts (`v1.AdmissionConfiguration`). */
export function schemaOfKind(scheme: ConfigurationScheme, struct: string, version: string): StructSchema {
  return new ConfigurationTypes(scheme, struct).struct(`${version}.${struct}`);
}

class ConfigurationTypes implements StructSource {
  readonly #scheme: ConfigurationScheme;
  readonly #root: string;

  constructor(scheme: ConfigurationScheme, root: string) {
    this.#scheme = scheme;
    this.#root = root;
  }

  struct(model: string): StructSchema {
    return new BuiltinStruct(model, this);
  }

  entry(model: string): StructEntry {
    const name = model.slice(model.lastIndexOf('.') + 1);
    if (name === typeMeta) return typeMetaFields;
    const fields = new Map(Object.entries(this.#scheme.types)).get(name) ?? [];
    return name === this.#root ? [['', 0, `#${typeMeta}`, 'i'], ...fields] : fields;
  }

  gvk(): undefined {
    return undefined;
  }
}
