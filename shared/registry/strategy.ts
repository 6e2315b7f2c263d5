import type { FieldError } from '#shared/apimachinery/errors/field-error.ts';
import type { GroupResource } from '#shared/apimachinery/gvk.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import type { KubeObject, ObjectMeta } from '#shared/apimachinery/object.ts';
import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import type { Int64 } from '#shared/apimachinery/values/int64.ts';
import type { RequestAudit } from '#shared/request/request-audit.ts';
import type { UserInfo } from '#shared/request/user.ts';
import type { ResetFields } from './field-management/reset-fields.ts';
import type { Pace } from './pace.ts';
import type { Caller } from './write-turns.ts';

/** The operation that a strategy hook is called for. */
export interface OperationContext {
  readonly user: UserInfo;
  readonly namespace: string;
  readonly dryRun: boolean;
  /** All values of the query's `dryRun`, which may repeat one. */
  readonly dryRunValues?: readonly string[] | undefined;
  readonly subresource: string;
  /**
   * The verb of the request (`update`, `patch`) and the API version that it names; absent for writes that the server
   * itself makes.
   */
  readonly verb?: string;
  readonly version?: string;
  /**
   * The resource as the request names it, for error texts (events of two groups share a store). Default: the store's.
   */
  readonly resource?: GroupResource;
  /** The field manager of writes that the server itself makes. */
  readonly fieldManager?: string;
  /** Absent for writes that the server itself makes. */
  readonly caller?: Caller;
  addWarning(text: string): void;
  /** Takes annotations of the audit events; absent if the request has none. */
  readonly audit?: RequestAudit | undefined;
  /**
   * The pace of the operation: other requests run between its steps if the object is large, or if the write is one of
   * the first of its kind, which compile code.
   */
  readonly pace: Pace;
  /** Milliseconds since the epoch, the same for the whole operation. */
  readonly nowMs: number;
}

/** The outcome of a write. `unknown`: storage may have carried it out, or may do so later. */
export type WriteOutcome = 'succeeded' | 'failed' | 'unknown';

/**
 * Completes or undoes a side effect such as an address allocation; called once after the write, whatever its outcome.
 * An error that it throws does not change the response. It must not undo anything at `unknown`.
 */
export type Finish = (outcome: WriteOutcome) => void | Promise<void>;

/** By apiVersion, for removed versions whose defaults differ from those of the served versions. */
export type OldVersionDefaults = ReadonlyMap<string, (object: JsonObject) => void>;

/**
 * The behaviour of a resource that facts cannot express. Objects are JSON, in the storage version; hooks that prepare
 * may change them in place. Every hook is optional: the generic store does what the facts say (metadata, generation,
 * status separation, constant defaults, name rules).
 */
export interface Strategy {
  /** Defaults in code, after the constant ones of the facts; runs on every decoded request body. */
  applyDefaults?(object: KubeObject): void;
  /** Runs before {@link applyDefaults} on a patched object that names a version which is no longer served. */
  readonly oldVersionDefaults?: OldVersionDefaults;
  /** As {@link applyDefaults}, in steps; used for objects that may be large if both exist. */
  applyDefaultsInSteps?(object: KubeObject): Steps<void>;
  /**
   * Clears fields that a client may not set on create. The status is removed before, if the resource has the status
   * subresource.
   */
  prepareForCreate?(object: KubeObject, context: OperationContext): void;
  validate?(object: KubeObject, context: OperationContext): FieldError[];
  warningsOnCreate?(object: KubeObject): string[];
  /**
   * Replaces validate and validateUpdate, in slices; `old` is undefined on create. If those exist too, it is used for
   * large objects only.
   */
  validateInSteps?(object: KubeObject, old: KubeObject | undefined, context: OperationContext): Steps<FieldError[]>;
  /** Replaces warningsOnCreate and warningsOnUpdate, in slices. */
  warningsInSteps?(object: KubeObject, old: KubeObject | undefined): Steps<string[]>;
  prepareForUpdate?(object: KubeObject, old: KubeObject, context: OperationContext): void;
  validateUpdate?(object: KubeObject, old: KubeObject, context: OperationContext): FieldError[];
  warningsOnUpdate?(object: KubeObject, old: KubeObject): string[];
  /** Hooks of the status subresource. The generic store keeps everything but status and (partly) metadata. */
  prepareForStatusUpdate?(object: KubeObject, old: KubeObject, context: OperationContext): void;
  validateStatusUpdate?(
    object: KubeObject,
    old: KubeObject,
    context: OperationContext,
  ): FieldError[] | Promise<FieldError[]>;
  warningsOnStatusUpdate?(object: KubeObject, old: KubeObject): string[];
  /**
   * Adds fields other than defaults that objects of older releases lack; runs on every object that is read from
   * storage.
   */
  completeStored?(object: KubeObject): void;
  /** After validation: brings the object into its canonical form. */
  canonicalize?(object: KubeObject): void;
  /** Replaces canonicalize, in slices. */
  canonicalizeInSteps?(object: KubeObject): Steps<void>;
  /** Authorizes the change before validation. Throws a 403. */
  authorizeUpdate?(object: KubeObject, old: KubeObject, context: OperationContext): Promise<void>;
  /** Side effects before the write (allocation); throws to refuse. */
  beginCreate?(object: KubeObject, context: OperationContext): Promise<Finish | undefined>;
  beginUpdate?(object: KubeObject, old: KubeObject, context: OperationContext): Promise<Finish | undefined>;
  /** Runs after the object was removed. An error that it throws does not change the response. */
  afterDelete?(object: KubeObject, context: OperationContext): Promise<void>;
  /** Default grace period of this object in seconds; undefined: deletion is immediate. */
  gracePeriodSeconds?(object: KubeObject, requested: Int64 | undefined): Int64 | undefined;
  /**
   * Throws a StatusError where no request may delete the object of this name, there or not. Deletions of a collection do
   * not ask.
   */
  checkDeletion?(name: string): void;
  /**
   * Deletion is an update of the object instead of a removal (namespaces): returns true when it was handled in place.
   */
  deleteInPlace?(object: KubeObject, context: OperationContext): boolean;
  /** Whether the update of {@link deleteInPlace} applies the propagation policy of the request. Default: true. */
  readonly marksForDependents?: boolean;
  /** Values of the selectable fields beyond metadata.name and metadata.namespace. */
  selectableFields?(object: KubeObject): Record<string, string>;
  /** Makes the name of an object that has only `generateName`; default: its value and five random characters. */
  generateName?(base: string): string;
  /** Validates the name, which may depend on the rest of the object; default: DNS subdomain. Returns messages. */
  validateName?(name: string, prefix: boolean, object: KubeObject): string[];
  /**
   * Which checks of the metadata the type's own validation of an update includes: of changes (the default), of the
   * whole metadata, or both. `none`: no such checks are added, neither for updates nor for creates.
   */
  readonly metadataOnUpdate?: 'changes' | 'whole' | 'both' | 'none';
  /** Restores the metadata that a write of the status may not change, if this differs from {@link resetFields}. */
  keepMetadataOfStatus?(metadata: ObjectMeta, before: ObjectMeta): void;
  /**
   * `none`: the type's own validation of a status does not check the metadata. Default: it checks the changes, as for
   * other updates.
   */
  readonly metadataOnStatusUpdate?: 'none';
  /** Finalizers need not name a domain (custom resources, which get a warning instead). */
  readonly anyFinalizers?: boolean;
  /** PUT on a missing object creates it. Default false. */
  readonly allowCreateOnUpdate?: boolean;
  /** PUT without a resourceVersion overwrites. Default true. */
  readonly allowUnconditionalUpdate?: boolean;
  /**
   * Fields that a write cannot change, so that no manager owns them through it. Default: the status, and for updates of
   * the status the spec.
   */
  readonly resetFields?: ResetFields;
  /** Whether spec and status are updated separately. Default: whether the facts have a `status` subresource. */
  readonly hasStatus?: boolean;
  /** Whether a create may set the status (nodes). Default: false, the status is removed. */
  readonly keepsStatusOnCreate?: boolean;
  /**
   * Whether metadata.generation is maintained; by default for objects with a spec. `exact`: an empty list, map or byte
   * string differs from an absent one (reflect.DeepEqual in the reference's strategy). `first`: the generation stays 1.
   */
  readonly generation?: 'spec' | 'exact' | 'first' | 'none';
  /** Whether an update that takes away the last finalizer may remove the object (namespaces). Default: true. */
  mayDeleteDuringUpdate?(object: KubeObject): boolean;
  /** DELETE answers with the object instead of a Status. */
  readonly returnsDeletedObject?: boolean;
  /** Time to live of the stored object (events). */
  ttlSeconds?(object: KubeObject): number;
  /** The default propagation policy of deletions; `background` if absent. */
  readonly defaultGarbageCollection?: 'background' | 'orphan' | 'unsupported';
  /** Warning for a deletion whose request does not set a propagation policy. */
  readonly orphanWarning?: string;
}
