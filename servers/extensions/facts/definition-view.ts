import type { JsonObject } from '#shared/apimachinery/json/json.ts';

/** The parts of a CustomResourceDefinition (v1) that are used here, with the accepted names. Immutable. */
export interface DefinitionView {
  /** The name of the definition, such as `crontabs.example.com`. */
  readonly name: string;
  readonly uid: string;
  /** The revision of the definition; its schemas may differ between revisions. */
  readonly revision: number;
  readonly group: string;
  readonly namespaced: boolean;
  readonly names: DefinitionNames;
  /** The versions in the order of discovery (newest stable version first). */
  readonly versions: readonly DefinitionVersion[];
  readonly storageVersion: string;
  readonly preserveUnknownFields: boolean;
  /** The webhook that converts between the versions; absent for conversion strategy None. */
  readonly conversion?: WebhookConversion;
  /** Whether the condition Established is true: then requests are served. */
  readonly established: boolean;
  /** Whether its names are taken by another definition. */
  readonly refused: boolean;
  /** Whether it is being deleted: then no custom resources may be created. */
  readonly terminating: boolean;
  /** Whether it is being deleted and the finalizer of definitions keeps it until its custom resources are gone. */
  readonly finalizing: boolean;
  /** Whether the condition NamesAccepted is true: the names in the spec are the accepted names. */
  readonly namesAccepted: boolean;
  /** Whether it has the condition NonStructuralSchema. */
  readonly nonStructural: boolean;
}

/** `spec.conversion.webhook`. */
export interface WebhookConversion {
  readonly clientConfig: JsonObject;
  /** `conversionReviewVersions`: those that the webhook speaks, the preferred one first. */
  readonly reviewVersions: readonly string[];
}

export interface DefinitionNames {
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly kind: string;
  readonly listKind: string;
  readonly categories: readonly string[];
}

export interface DefinitionVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly deprecated: boolean;
  /** The text of the Warning header, if the definition sets one. */
  readonly deprecationWarning?: string;
  /** Parses `openAPIV3Schema` on each call: schemas are large, and most are never used. */
  readonly schema: () => JsonObject | undefined;
  /** Schemas with the same digest are equal; empty if there is no schema. */
  readonly schemaDigest: string;
  readonly status: boolean;
  readonly scale?: {
    readonly specReplicasPath: string;
    readonly statusReplicasPath: string;
    readonly labelSelectorPath?: string;
  };
  readonly columns: readonly DefinitionColumn[];
  /** The JSON paths of selectable fields, such as `.spec.color`. */
  readonly selectableFields: readonly string[];
}

export interface DefinitionColumn {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  readonly priority: number;
  readonly jsonPath: string;
}
