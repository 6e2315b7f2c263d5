import type { ResourceFacts, SubresourceFacts } from '#shared/api/facts.ts';
import type { FieldError } from '#shared/apimachinery/errors/field-error.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import type { StructSchema } from '#shared/apimachinery/schema/schema.ts';
import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import type { RequestContext } from '#shared/request/request-context.ts';
import type { RowPrinter } from '#shared/serializer/table/cells.ts';
import type { KindRows } from '#shared/serializer/table/kind-rows.ts';
import type { ReplicasPath } from './field-management/scale-fields.ts';
import type { ResourceStore } from './resource-store.ts';
import type { OperationContext } from './strategy.ts';

/** One resource in one served version, as the endpoints install it. */
export interface RestResource {
  readonly facts: ResourceFacts;
  /** Schema of the served version. */
  readonly schema: StructSchema;
  /** The stored resource; versions of one resource share it. Absent for reviews and bindings. */
  readonly store?: ResourceStore;
  /** Converts between the served version and the storage version; absent if the two have the same shape. */
  readonly conversion?: Conversion;
  /** Create of a resource that is not stored (reviews, bindings). */
  readonly creator?: Creator;
  /** Get and list of a resource that is not stored (componentstatuses). */
  readonly reader?: ResourceReader;
  readonly subresources: ReadonlyMap<string, RestSubresource>;
  /** The resource in all its versions; absent if there is only one. */
  readonly siblings?: Siblings;
  /** How the rows of a built-in kind are made; default: name and time of creation. */
  readonly rows?: KindRows;
  /** The additional printer columns of a CustomResourceDefinition. */
  readonly table?: TableForm;
}

/**
 * All versions of one resource. Each entry of managedFields uses the field names of the version in which it was
 * written.
 */
export interface Siblings {
  /** The apiVersions of all versions, including this one. */
  readonly apiVersions: readonly string[];
  find(apiVersion: string): RestResource | undefined;
  /**
   * Converts a custom resource to another version by a webhook; absent where no webhook does. The object is left as it
   * is; the result is not pruned.
   * @throws StatusError 500 where the webhook fails
   */
  readonly convert?: (object: KubeObject, apiVersion: string) => Steps<KubeObject>;
}

/** The Table form of a kind. */
export interface TableForm {
  /** `columnDefinitions`. */
  readonly columns: readonly JsonObject[];
  readonly print: RowPrinter;
}

/** Converts in place or returns a new object; apiVersion is set by the caller. */
export interface Conversion {
  /**
   * The defaults in code of the served version, set before {@link toStorage}. Where it is absent, the strategy sets
   * those of the storage version after it.
   */
  applyDefaults?(object: KubeObject): void;
  toStorage(object: KubeObject): KubeObject;
  fromStorage(object: KubeObject): KubeObject;
}

export type Creator = (object: KubeObject, context: OperationContext) => Promise<KubeObject>;

export interface ResourceReader {
  get(name: string, context: OperationContext): Promise<KubeObject>;
  list(context: OperationContext): Promise<KubeObject[]>;
}

/**
 * A subresource. `status` needs no code of its own; other subresources set the members that they support. Bodies have
 * the kind `facts.kind`.
 */
export interface RestSubresource {
  readonly facts: SubresourceFacts;
  readonly schema?: StructSchema;
  /** The generic status subresource of the parent's store. */
  readonly status?: boolean;
  /** Other views that read and write the parent object (ephemeralcontainers, resize, approval, finalize, scale). */
  readonly view?: ParentView;
  /** Columns of its own. */
  readonly table?: TableForm;
  /** Whether clients may request it as a Table. Default: true for status, scale and subresources with columns. */
  readonly isTable?: boolean;
  /** Path of the replica count of a Scale in the parent object. */
  readonly replicasPath?: ReplicasPath;
  /** Sets defaults of a body that is not stored. */
  readonly applyDefaults?: (body: KubeObject) => void;
  /** Checks and completes the body before it is validated by admission; {@link create} gets it then. */
  readonly prepare?: (name: string, body: KubeObject, context: OperationContext) => Promise<void>;
  readonly create?: (name: string, body: KubeObject, context: OperationContext) => Promise<KubeObject>;
  /**
   * For streams and proxies: takes over the exchange. `changed` are the {@link connectOptions} where admission has
   * changed them.
   */
  readonly connect?: (request: RequestContext, name: string, changed?: JsonObject) => Promise<void>;
  /** The options of a request to {@link connect}, for admission. Throws 400 for a query that does not parse. */
  readonly connectOptions?: (request: RequestContext) => JsonObject;
  /**
   * The subresource is read like an ordinary object (log): an unsupported Accept is refused, there is no admission, and
   * `dryRun` is ignored rather than refused.
   */
  readonly isNegotiated?: boolean;
}

/** A subresource that shows and changes part of its parent object. */
export interface ParentView {
  /** The answer to GET; PUT and PATCH start from it, too, unless there is `readToWrite`. */
  read(parent: KubeObject): KubeObject;
  readToWrite?(parent: KubeObject): KubeObject;
  /** Writes the changed body into a copy of the parent. Throws StatusError to refuse. */
  write(parent: KubeObject, body: KubeObject, context: OperationContext): KubeObject;
  /** Extra validation of the changed parent. */
  validate?(parent: KubeObject, old: KubeObject, context: OperationContext): FieldError[];
}
