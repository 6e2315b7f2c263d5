import { getKey, isObject, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { PathElement } from '#shared/apimachinery/schema/path-element.ts';
import {
  deducedMap,
  deducedView,
  untypedAtomic,
  type FieldView,
  type ListView,
  type MapView,
  type TypedScalarKind,
  type TypeView,
} from '#shared/apimachinery/schema/type-view.ts';

export interface StructuralViewOptions {
  /** The view of ObjectMeta. */
  readonly objectMeta: TypeView;
  /** `spec.preserveUnknownFields` of the CRD. */
  readonly preserveUnknownFields: boolean;
}

/**
 * The view of a custom resource with this `openAPIV3Schema` (undefined if it has none). The rules are those of
 * kube-openapi's schemaconv, applied to the OpenAPI that the reference publishes for the CRD.
 */
export function viewOfStructural(schema: JsonObject | undefined, options: StructuralViewOptions): TypeView {
  if (schema === undefined) return { name: '', scalar: undefined, list: undefined, map: deducedMap };
  const { objectMeta, preserveUnknownFields } = options;
  return nodeView({ raw: schema, objectMeta, isObject: true, preserves: preserveUnknownFields });
}

interface Node {
  readonly raw: JsonObject;
  readonly objectMeta: TypeView;
  /** The custom resource itself, or one embedded in it: it has apiVersion, kind and metadata. */
  readonly isObject: boolean;
  /** A schema above preserves unknown fields: for apply that holds for everything below it. */
  readonly preserves: boolean;
}

function nodeView(node: Node): TypeView {
  const { raw } = node;
  const here =
    raw['x-kubernetes-preserve-unknown-fields'] === true && !node.preserves ? { ...node, preserves: true } : node;
  switch (raw['type']) {
    case 'object':
      return { name: '', scalar: undefined, list: undefined, map: new NodeMap(here) };
    case 'array':
      return { name: '', scalar: undefined, list: new NodeList(here), map: undefined };
    case 'integer':
    case 'number':
      return scalarViews.numeric;
    case 'boolean':
      return scalarViews.boolean;
    case 'string':
      return raw['format'] === undefined || raw['format'] === '' || raw['format'] === 'byte'
        ? scalarViews.string
        : scalarViews.untyped;
    default:
      return { name: '', scalar: 'untyped', list: new NodeList(here), map: new NodeMap(here) };
  }
}

function scalarOnly(scalar: TypedScalarKind): TypeView {
  return { name: '', scalar, list: undefined, map: undefined };
}

const scalarViews = {
  numeric: scalarOnly('numeric'),
  boolean: scalarOnly('boolean'),
  string: scalarOnly('string'),
  untyped: scalarOnly('untyped'),
};

class NodeMap implements MapView {
  readonly atomic: boolean;
  readonly hasNoFields: boolean;
  readonly #node: Node;
  readonly #properties: JsonObject;
  readonly #fields = new Map<string, FieldView>();
  #element: TypeView | undefined;

  constructor(node: Node) {
    this.#node = node;
    const properties = getKey(node.raw, 'properties');
    this.#properties = isObject(properties) ? properties : {};
    this.atomic = node.raw['x-kubernetes-map-type'] === 'atomic';
    this.hasNoFields = !hasMeta(node) && Object.keys(this.#properties).length === 0;
  }

  field(name: string): FieldView | undefined {
    let field = this.#fields.get(name);
    if (field === undefined) {
      field = this.#makeField(name);
      if (field !== undefined) this.#fields.set(name, field);
    }
    return field;
  }

  #makeField(name: string): FieldView | undefined {
    const node = this.#node;
    if (hasMeta(node)) {
      if (name === 'metadata') return { element: PathElement.field(name), type: node.objectMeta, default: undefined };
      if (name === 'apiVersion' || name === 'kind')
        return { element: PathElement.field(name), type: scalarViews.string, default: undefined };
    }
    const raw = getKey(this.#properties, name);
    return isObject(raw) ? new NodeField(name, below(node, raw)) : undefined;
  }

  get element(): TypeView | undefined {
    return (this.#element ??= this.#makeElement());
  }

  #makeElement(): TypeView | undefined {
    const additional = this.#node.raw['additionalProperties'];
    if (isObject(additional)) return nodeView(below(this.#node, additional));
    if (additional === true) return deducedView;
    if (additional === false) return undefined;
    return this.#node.preserves || this.hasNoFields ? deducedView : undefined;
  }
}

function hasMeta(node: Node): boolean {
  return node.isObject || node.raw['x-kubernetes-embedded-resource'] === true;
}

function below(node: Node, raw: JsonObject): Node {
  return { raw, objectMeta: node.objectMeta, isObject: false, preserves: node.preserves };
}

class NodeField implements FieldView {
  readonly element: PathElement;
  readonly #node: Node;
  #type: TypeView | undefined;

  constructor(name: string, node: Node) {
    this.element = PathElement.field(name);
    this.#node = node;
  }

  get type(): TypeView {
    return (this.#type ??= nodeView(this.#node));
  }

  get default(): JsonValue | undefined {
    return getKey(this.#node.raw, 'default') ?? undefined;
  }
}

class NodeList implements ListView {
  readonly atomic: boolean;
  readonly keys: readonly string[];
  readonly #node: Node;
  #items: TypeView | undefined;

  constructor(node: Node) {
    this.#node = node;
    const listType = node.raw['x-kubernetes-list-type'];
    this.atomic = listType !== 'set' && listType !== 'map';
    const keys = node.raw['x-kubernetes-list-map-keys'];
    this.keys = listType === 'map' && Array.isArray(keys) ? keys.filter((key) => typeof key === 'string') : [];
  }

  get items(): TypeView {
    return (this.#items ??= this.#makeItems());
  }

  #makeItems(): TypeView {
    const { items } = this.#node.raw;
    return isObject(items) ? nodeView(below(this.#node, items)) : untypedAtomic;
  }
}
