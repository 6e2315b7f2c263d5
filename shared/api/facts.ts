import type { StructSchema } from '#shared/apimachinery/schema/schema.ts';

/** What is known about one API group, in every version that upstream publishes. */
export interface GroupFacts {
  /** Empty for the core group. */
  readonly name: string;
  /** In the order of priority that discovery shows. */
  readonly versions: readonly VersionFacts[];
  /** `groupPriorityMinimum` of the group's APIServices. */
  readonly groupPriority: number;
}

export interface VersionFacts {
  readonly group: string;
  readonly version: string;
  /** `versionPriority` of the APIService. */
  readonly versionPriority: number;
  /**
   * Served by default, without `--runtime-config` (betas and alphas are not, except resources with `enabledByDefault`).
   */
  readonly enabledByDefault: boolean;
  readonly resources: readonly ResourceFacts[];
}

export type Verb = 'create' | 'delete' | 'deletecollection' | 'get' | 'list' | 'patch' | 'update' | 'watch';

/** One resource in one version. */
export interface ResourceFacts {
  readonly group: string;
  readonly version: string;
  /** Plural, lower case: `configmaps`. */
  readonly resource: string;
  readonly singular: string;
  readonly kind: string;
  /** Empty where the resource cannot be listed (bindings, reviews). */
  readonly listKind: string;
  readonly namespaced: boolean;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  /** Sorted, as discovery shows them. */
  readonly verbs: readonly Verb[];
  readonly subresources: readonly SubresourceFacts[];
  /**
   * Field selector paths that the reference accepts for this kind, `metadata.name` and `metadata.namespace` included.
   */
  readonly selectableFields: readonly string[];
  readonly columns: readonly ColumnFacts[];
  /**
   * The group and version in which the object is stored in etcd, e.g. `v1`, `apps/v1`; empty where nothing is stored.
   */
  readonly storageVersion: string;
  /** Key prefix below `/registry/`: `configmaps`, `services/specs`, `minions`. Empty where nothing is stored. */
  readonly storagePrefix: string;
  /** As discovery shows it. Empty where nothing is stored. */
  readonly storageVersionHash: string;
  /** Served by default, without `--runtime-config`. */
  readonly enabledByDefault: boolean;
  /** Comes from a CustomResourceDefinition, not from the facts. */
  readonly custom?: boolean;
  /** DELETE of a single object answers the deleted object instead of a Status. */
  readonly deleteReturnsObject?: boolean;
  /** Feature gate without which no version of the resource is served. */
  readonly gate?: string;
  /**
   * Lifecycle by the `+k8s:prerelease-lifecycle-gen` markers, as `1.25`; for emulated versions and deprecation
   * warnings.
   */
  readonly introducedIn?: string;
  readonly deprecatedIn?: string;
  readonly removedIn?: string;
  readonly replacement?: string;
}

export interface SubresourceFacts {
  /** `status`, `scale`, `eviction`. */
  readonly name: string;
  /** Kind of the body; may belong to another group (`autoscaling/v1 Scale`). */
  readonly kind: { readonly group: string; readonly version: string; readonly kind: string };
  readonly verbs: readonly string[];
}

/** One column of the Table form. */
export interface ColumnFacts {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly priority: number;
  /**
   * The field whose documentation describes the column: a path in the kind, or `#model.field`. Other columns have
   * descriptions of their own upstream, which are not copied.
   */
  readonly field?: string;
}

/** A look-up of facts; the types of a group are loaded at their first use. */
export interface Facts {
  /** In discovery order. Cheap: does not load types. */
  groups(): readonly GroupFacts[];
  /** Every version of any group that has types, served or not, sorted; DeleteOptions and WatchEvent belong to each. */
  registeredVersions(): readonly { readonly group: string; readonly version: string }[];
  resource(group: string, version: string, resource: string): ResourceFacts | undefined;
  byKind(group: string, version: string, kind: string): ResourceFacts | undefined;
  /** Schema of a top-level kind, also of those that are no resource (`Scale`, `DeleteOptions`, `Status`, lists). */
  schema(group: string, version: string, kind: string): StructSchema | undefined;
  /** Schema by OpenAPI model name. */
  model(name: string): StructSchema | undefined;
}
