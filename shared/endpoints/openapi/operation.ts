/** The methods in the order in which documents show them. */
export const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'] as const;

export type Method = (typeof methods)[number];

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly type: 'string' | 'boolean' | 'integer';
  readonly required?: boolean;
  readonly description?: string;
}

/** One operation, in a form independent of OpenAPI v2 and v3. */
export interface Operation {
  readonly method: Method;
  readonly operationId: string;
  readonly description: string;
  readonly tag: string;
  /** `x-kubernetes-action`; absent for discovery documents. */
  readonly action?: string;
  readonly gvk?: { readonly group: string; readonly version: string; readonly kind: string };
  readonly parameters: readonly Parameter[];
  readonly body?: { readonly model: string; readonly required: boolean; readonly mediaTypes: readonly string[] };
  /** The model by status code; undefined stands for a plain string. */
  readonly responses: Readonly<Record<string, string | undefined>>;
  /** Media types that v2 lists for the request; default: those of the body, or any. */
  readonly consumes?: readonly string[];
  /** Media types of the responses. */
  readonly produces: readonly string[];
}

/** The operations of each path. */
export type Paths = ReadonlyMap<string, readonly Operation[]>;

export const objectMedia = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf'] as const;

export const watchMedia = [
  ...objectMedia,
  'application/json;stream=watch',
  'application/vnd.kubernetes.protobuf;stream=watch',
] as const;

/** The parameters that all operations of a path share, which documents write once. */
export function sharedParameters(operations: readonly Operation[]): readonly Parameter[] {
  const [first, ...rest] = operations;
  return first === undefined
    ? []
    : first.parameters.filter((one) => rest.every(({ parameters }) => parameters.some((other) => same(one, other))));
}

export function same(a: Parameter, b: Parameter): boolean {
  return a.name === b.name && a.in === b.in;
}
