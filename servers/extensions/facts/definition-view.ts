import type { JsonObject } from '../../../shared/apimachinery/json.ts';

/** The parts of a CustomResourceDefinition (v1) that are used here, with the accepted names. Immutable. */
export interface DefinitionView {
  /** `crontabs.example.com`. */
  readonly name: string;
  readonly uid: string;
  /** Revision of the definition: another one may mean another schema. */
  readonly revision: number;
  readonly group: string;
  readonly namespaced: boolean;
  readonly names: DefinitionNames;
  /** In the order of discovery (newest stable version first). */
  readonly versions: readonly DefinitionVersion[];
  readonly storageVersion: string;
  readonly preserveUnknownFields: boolean;
  /** The condition Established: requests are served. */
  readonly established: boolean;
  /** Its names are taken by another definition. */
  readonly refused: boolean;
  /** Being deleted: no custom resources may be created. */
  readonly terminating: boolean;
  /** Held back by its own finalizer until its custom resources are gone. */
  readonly finalizing: boolean;
  /** The condition NamesAccepted: the names in the spec are those that were accepted. */
  readonly namesAccepted: boolean;
  /** Has a condition that says that its schemas are not structural. */
  readonly nonStructural: boolean;
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
  /** Text of the Warning header where the definition has one of its own. */
  readonly deprecationWarning?: string;
  /** `openAPIV3Schema`, parsed anew with each call: schemas are large, and most are never used. */
  readonly schema: () => JsonObject | undefined;
  /** Two schemas with the same digest are the same; empty where there is none. */
  readonly schemaDigest: string;
  readonly status: boolean;
  readonly scale?: {
    readonly specReplicasPath: string;
    readonly statusReplicasPath: string;
    readonly labelSelectorPath?: string;
  };
  readonly columns: readonly DefinitionColumn[];
  /** JSON paths: `.spec.color`. */
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
