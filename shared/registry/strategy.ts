import type { FieldError } from '../apimachinery/field-error.ts';
import type { GroupResource } from '../apimachinery/gvk.ts';
import type { KubeObject, ObjectMeta } from '../apimachinery/object.ts';
import type { Steps } from '../apimachinery/slices.ts';
import type { ResetFields } from './field-management/reset-fields.ts';
import type { UserInfo } from '../request/user.ts';

/** What a strategy may know of the operation. */
export interface OperationContext {
  readonly user: UserInfo;
  readonly namespace: string;
  readonly dryRun: boolean;
  readonly subresource: string;
  /**
   * Of the request (`update`, `patch`), and the version that it names; absent where the server writes of its own
   * accord.
   */
  readonly verb?: string;
  readonly version?: string;
  /**
   * The resource as the request names it, for error texts (events of two groups share a store). Default: the store's.
   */
  readonly resource?: GroupResource;
  /** Who owns what a server writes of its own accord; the writes of clients come with their managers. */
  readonly fieldManager?: string;
  addWarning(text: string): void;
  readonly auditAnnotations: Map<string, string>;
  /** The body of the request is so large, or so new, that its steps give others a turn in between. */
  readonly isLarge?: boolean;
  /** Milliseconds since the epoch, the same for the whole operation. */
  readonly nowMs: number;
}

/** How a write ended; `unknown`: storage may have carried it out, now or a little later. */
export type WriteOutcome = 'succeeded' | 'failed' | 'unknown';

/**
 * Undo or completion of a side effect such as an address allocation: called once, whatever happened to the write. What
 * it throws changes nothing for the client, who is told of the write. Nothing may be undone at `unknown`.
 */
export type Finish = (outcome: WriteOutcome) => void | Promise<void>;

/**
 * What differs from resource to resource by more than facts. Objects are in JSON shape, in the storage version, and
 * may be changed in place by the hooks that prepare. Every hook is optional: the generic store does what the facts say
 * (metadata, generation, status separation, constant defaults, name rules).
 */
export interface Strategy {
  /** Defaults in code, after the constant ones of the facts; runs on every decoded request body. */
  applyDefaults?(object: KubeObject): void;
  /** Clears what a client may not set on create. Status is dropped already where the resource has the subresource. */
  prepareForCreate?(context: OperationContext, object: KubeObject): void;
  validate?(context: OperationContext, object: KubeObject): FieldError[];
  warningsOnCreate?(object: KubeObject): string[];
  /**
   * Instead of validate and validateUpdate, for objects that take long; `old` is undefined at creation. Where those are
   * there too, for large objects only.
   */
  validateInSteps?(object: KubeObject, old: KubeObject | undefined, context: OperationContext): Steps<FieldError[]>;
  /** Instead of warningsOnCreate and warningsOnUpdate. */
  warningsInSteps?(object: KubeObject, old: KubeObject | undefined): Steps<string[]>;
  prepareForUpdate?(context: OperationContext, object: KubeObject, old: KubeObject): void;
  validateUpdate?(context: OperationContext, object: KubeObject, old: KubeObject): FieldError[];
  warningsOnUpdate?(object: KubeObject, old: KubeObject): string[];
  /** Hooks of the status subresource. The generic store keeps everything but status and (partly) metadata. */
  prepareForStatusUpdate?(context: OperationContext, object: KubeObject, old: KubeObject): void;
  validateStatusUpdate?(
    context: OperationContext,
    object: KubeObject,
    old: KubeObject,
  ): FieldError[] | Promise<FieldError[]>;
  warningsOnStatusUpdate?(object: KubeObject, old: KubeObject): string[];
  /** Fills in what objects of older releases lack beside defaults; runs on everything that is read from storage. */
  completeStored?(object: KubeObject): void;
  /** After validation: brings the object into its canonical form. */
  canonicalize?(object: KubeObject): void;
  /** Instead of canonicalize, for objects that take long. */
  canonicalizeInSteps?(object: KubeObject): Steps<void>;
  /** Whether the client may bring this about, asked before the object is looked at otherwise. Throws a 403. */
  authorizeUpdate?(context: OperationContext, object: KubeObject, old: KubeObject): Promise<void>;
  /** Side effects before the write (allocation); throws to refuse. */
  beginCreate?(context: OperationContext, object: KubeObject): Promise<Finish | undefined>;
  beginUpdate?(context: OperationContext, object: KubeObject, old: KubeObject): Promise<Finish | undefined>;
  /** The object is gone; what this throws changes nothing for the client. */
  afterDelete?(context: OperationContext, object: KubeObject): Promise<void>;
  /** Default grace in seconds for this object; undefined: not graceful. */
  gracePeriodSeconds?(object: KubeObject, requested: number | undefined): number | undefined;
  /** Whether a delete request may proceed, beyond admission (priority classes, namespaces). Throws a StatusError. */
  checkDelete?(context: OperationContext, object: KubeObject): void;
  /**
   * Deletion is an update of the object instead of a removal (namespaces): returns true when it was handled in place.
   */
  deleteInPlace?(context: OperationContext, object: KubeObject): boolean;
  /** Whether such an update heeds what the request says of dependents. Default: true. */
  readonly marksForDependents?: boolean;
  /** Values of the selectable fields beyond metadata.name and metadata.namespace. */
  selectableFields?(object: KubeObject): Record<string, string>;
  /** A name for an object that brings only `generateName`; default: that with five random characters. */
  generateName?(base: string): string;
  /** Rules of the name, which may hang on the rest of the object; default: DNS subdomain. Returns messages. */
  validateName?(name: string, prefix: boolean, object: KubeObject): string[];
  /**
   * What the type's own validation of an update looks at of the metadata: what changes (by default), all of it, or
   * both. `none`: it leaves the metadata alone, or sees to them itself, on creation too.
   */
  readonly metadataOnUpdate?: 'changes' | 'whole' | 'both' | 'none';
  /** What a write of the status leaves alone in the metadata, where that is not what {@link resetFields} tell. */
  keepMetadataOfStatus?(metadata: ObjectMeta, before: ObjectMeta): void;
  /**
   * `none`: the type's own validation of a status leaves the metadata alone. Default: as other updates, by what
   * changes.
   */
  readonly metadataOnStatusUpdate?: 'none';
  /** Finalizers need not name a domain (custom resources, which warn of it). */
  readonly anyFinalizers?: boolean;
  /** PUT on a missing object creates it. Default false. */
  readonly allowCreateOnUpdate?: boolean;
  /** PUT without a resourceVersion overwrites. Default true. */
  readonly allowUnconditionalUpdate?: boolean;
  /**
   * What writes cannot change, so that nobody comes to own it. Default: status, and on writes of the status the spec.
   */
  readonly resetFields?: ResetFields;
  /** How spec and status are told apart: default by the facts (`status` subresource present). */
  readonly hasStatus?: boolean;
  /** A created object may bring its status (nodes). Default false: it is dropped. */
  readonly keepsStatusOnCreate?: boolean;
  /**
   * Whether metadata.generation is kept: by default where the object has a spec. `exact`: a list or map that comes
   * without items is a change from none, and so are bytes (reflect.DeepEqual in the reference's strategy). `first`: it
   * is 1 and stays so.
   */
  readonly generation?: 'spec' | 'exact' | 'first' | 'none';
  /** Whether an object whose last finalizer went in an update may go too (namespaces). Default: true. */
  mayDeleteDuringUpdate?(object: KubeObject): boolean;
  /** DELETE answers with the object instead of a Status. */
  readonly returnsDeletedObject?: boolean;
  /** Time to live of the stored object (events). */
  ttlSeconds?(object: KubeObject): number;
  /** The default finalizers or deletion policy: `background` unless said. */
  readonly defaultGarbageCollection?: 'background' | 'orphan' | 'unsupported';
  /** Told to who deletes without saying what becomes of dependents. */
  readonly orphanWarning?: string;
}
