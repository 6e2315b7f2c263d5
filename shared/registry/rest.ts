import type { ResourceFacts, SubresourceFacts } from '../api/facts.ts';
import type { FieldError } from '../apimachinery/field-error.ts';
import type { JsonObject } from '../apimachinery/json.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import type { StructSchema } from '../apimachinery/schema.ts';
import type { RowPrinter } from '../serializer/table/cells.ts';
import type { KindRows } from '../serializer/table/kind-rows.ts';
import type { RequestContext } from '../request/request-context.ts';
import type { ReplicasPath } from './field-management/scale-fields.ts';
import type { OperationContext } from './strategy.ts';
import type { ResourceStore } from './resource-store.ts';

/** One resource in one served version, as the endpoints install it. */
export interface RestResource {
  readonly facts: ResourceFacts;
  /** Schema of the served version. */
  readonly schema: StructSchema;
  /** The stored resource; versions of one resource share it. Absent for reviews and bindings. */
  readonly store?: ResourceStore;
  /** Between the served and the storage version; absent where the two are the same shape. */
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
 * All versions of one resource. Each entry of managedFields names fields as they are called in the version of that
 * write.
 */
export interface Siblings {
  /** The apiVersions of all versions, including this one. */
  readonly apiVersions: readonly string[];
  find(apiVersion: string): RestResource | undefined;
}

/** The Table form of a kind. */
export interface TableForm {
  /** `columnDefinitions`. */
  readonly columns: readonly JsonObject[];
  readonly print: RowPrinter;
}

/** Converts in place or returns a new object; apiVersion is set by the caller. */
export interface Conversion {
  toStorage(object: KubeObject): KubeObject;
  fromStorage(object: KubeObject): KubeObject;
}

export type Creator = (object: KubeObject, context: OperationContext) => Promise<KubeObject>;

export interface ResourceReader {
  get(name: string, context: OperationContext): Promise<KubeObject>;
  list(context: OperationContext): Promise<KubeObject[]>;
}

/**
 * A subresource. `status` needs no code of its own; the others give what they support. Bodies are in the kind of
 * `facts.kind`. `update` gets a function so that patch and put share one path with retries on conflict.
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
  /** Whether it may be asked for as a Table: by default where it has columns, and status and scale may. */
  readonly isTable?: boolean;
  /** Path of the replica count of a Scale in the parent object. */
  readonly replicasPath?: ReplicasPath;
  /** Defaults in code of a body that is not stored. */
  readonly applyDefaults?: (body: KubeObject) => void;
  readonly create?: (name: string, body: KubeObject, context: OperationContext) => Promise<KubeObject>;
  /** Streams and proxies: takes over the exchange. */
  readonly connect?: (request: RequestContext, name: string) => Promise<void>;
  /** What a request to {@link connect} asks for, for admission. Throws 400 for a query that does not parse. */
  readonly connectOptions?: (request: RequestContext) => JsonObject;
  /**
   * The subresource is read like an ordinary object (log): an unsupported Accept is refused, there is no admission, and
   * `dryRun` is ignored rather than refused.
   */
  readonly isNegotiated?: boolean;
}

/** A subresource that shows and changes part of its parent object. */
export interface ParentView {
  /** What GET answers, and what PUT and PATCH start from unless they start from something else. */
  read(parent: KubeObject): KubeObject;
  readToWrite?(parent: KubeObject): KubeObject;
  /** Brings the changed body into a copy of the parent. Throws StatusError to refuse. */
  write(parent: KubeObject, body: KubeObject, context: OperationContext): KubeObject;
  /** Extra validation of the outcome. */
  validate?(parent: KubeObject, old: KubeObject, context: OperationContext): FieldError[];
}
