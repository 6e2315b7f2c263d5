import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';

/**
 * The files under `gen/`, as `test/recorders/facts` writes them. Short keys, since the texts are parsed at start-up.
 */
export interface ResourcesFile {
  readonly versions: readonly VersionEntry[];
  /** Package of OpenAPI models (`io.k8s.api.apps.v1`) to the name of the file in `gen/types` that holds it. */
  readonly files: Readonly<Record<string, string>>;
  /** `group/version` of everything that has types, served or not. */
  readonly registered: readonly string[];
}

/** A served group version, in the order of discovery. */
export interface VersionEntry {
  readonly group: string;
  readonly groupPriority: number;
  readonly version: string;
  readonly priority: number;
  readonly package: string;
  readonly default?: boolean;
  readonly resources: readonly ResourceEntry[];
}

/** Members that are empty or false are left out. */
export interface ResourceEntry {
  readonly resource: string;
  readonly singular: string;
  readonly kind: string;
  readonly listKind?: string;
  readonly namespaced?: boolean;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly verbs: readonly string[];
  readonly subresources?: readonly {
    name: string;
    kind: readonly [group: string, version: string, kind: string];
    verbs: readonly string[];
  }[];
  readonly selectable?: readonly string[];
  readonly columns?: readonly (readonly [
    name: string,
    type: string,
    format: string,
    priority: number,
    field?: string,
  ])[];
  readonly storageVersion?: string;
  readonly storagePrefix?: string;
  readonly storageHash?: string;
  readonly default?: boolean;
  readonly deleteObject?: boolean;
  readonly gate?: string;
  readonly introduced?: string;
  readonly deprecated?: string;
  readonly removed?: string;
  readonly replacement?: string;
}

/** `gen/feature-gates.json`: every gate with its stages, oldest first, and the gates that others need. */
export interface FeatureGatesFile {
  readonly gates: Readonly<Record<string, readonly GateStage[]>>;
  readonly dependencies: Readonly<Record<string, readonly string[]>>;
}

/**
 * The default and stage of a gate from a release on (`alpha`, `beta`, `deprecated`, empty for general availability),
 * optionally `locked`, optionally the lowest `--min-compatibility-version` for which the stage counts.
 */
export type GateStage = readonly [since: string, enabled: boolean, stage: string, ...more: string[]];

/** One file of `gen/types`. */
export interface TypesFile {
  /**
   * Kinds by version. `Kind` is a model of the version's own package, `Kind=model` is a model of another package. In
   * `meta` the version `''` holds the kinds that belong to every group version (`DeleteOptions`, `WatchEvent`,
   * `Status`).
   */
  readonly kinds: Readonly<Record<string, readonly string[]>>;
  /** Structs by package and name. */
  readonly types: Readonly<Record<string, Readonly<Record<string, StructEntry>>>>;
}

export type StructEntry =
  | readonly FieldEntry[]
  | {
      readonly fields: readonly FieldEntry[];
      /** Map type. */
      readonly m?: 'atomic';
      /** JSON form. */
      readonly j?: 'orArray' | 'orBool' | 'orStringArray';
      /** Unions. */
      readonly u?: JsonValue;
    };

/**
 * JSON name, protobuf number, type, flags and the rest.
 *
 * Type: a scalar (`int32`, `time`), `#Name` or `#full.model.Name` for a struct, `[]T`, `[*]T` (items are pointers),
 * `[w]T` (a message around repeated items), `{}T` for a map.
 *
 * Flags: `i` inline, `p` pointer, `e` omitempty, `z` omitzero, `r` required, `d` odd zero default,
 * `u` a reference to a model that upstream says nothing about.
 */
export type FieldEntry = readonly [name: string, number: number, type: string, flags: string, extra?: FieldExtra];

export interface FieldExtra {
  /** Go name, where it is not the JSON name with a capital. */
  readonly g?: string;
  /** Go type, where it names a string, list or map: `v1.Protocol`, `[]v1.KeyUsage`. */
  readonly t?: string;
  /** Default. */
  readonly d?: JsonValue;
  /** Format. */
  readonly f?: string;
  /** Enum of the field, of its items. */
  readonly en?: readonly string[];
  readonly ei?: readonly string[];
  /** Patch strategy and merge key. */
  readonly ps?: string;
  readonly mk?: string;
  /** List type, list map keys, map type. */
  readonly lt?: 'atomic' | 'set' | 'map';
  readonly lk?: readonly string[];
  readonly mt?: 'atomic' | 'granular';
}

/** A list item that exists only if all these feature gates are on; items without gates are stored unwrapped. */
export interface GatedItem {
  readonly needs: readonly string[];
  readonly item: JsonValue;
}

/** Objects that a server creates at its start, under `gen/bootstrap`. The lists of `rbac` have gated items. */
export interface BootstrapFiles {
  readonly rbac: {
    readonly clusterRoles: readonly JsonObject[];
    readonly clusterRoleBindings: readonly JsonObject[];
    readonly roles: readonly JsonObject[];
    readonly roleBindings: readonly JsonObject[];
    /** ClusterRole that turned into an aggregated one, to the role that took over its rules. */
    readonly clusterRolesToAggregate: Readonly<Record<string, string>>;
  };
  readonly flowcontrol: {
    readonly mandatoryPriorityLevels: readonly JsonObject[];
    readonly suggestedPriorityLevels: readonly JsonObject[];
    readonly mandatoryFlowSchemas: readonly JsonObject[];
    readonly suggestedFlowSchemas: readonly JsonObject[];
  };
  readonly priorityclasses: { readonly priorityClasses: readonly JsonObject[] };
}
