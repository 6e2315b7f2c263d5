import type { JsonValue } from '#shared/apimachinery/json/json.ts';
import { PathElement } from '#shared/apimachinery/schema/path-element.ts';
import type { Field, ListSchema, ScalarSchema, Schema, StructSchema } from '#shared/apimachinery/schema/schema.ts';
import {
  deducedMap,
  deducedView,
  untypedAtomic,
  untypedAtomicList,
  type FieldView,
  type ListView,
  type MapView,
  type TypedScalarKind,
  type TypeView,
} from '#shared/apimachinery/schema/type-view.ts';
import { listRelation } from './list-relation.ts';

const views = new WeakMap<Schema, TypeView>();

/** The view of a built-in type. It is created once for each schema, and its parts on first use. */
export function viewOfSchema(schema: Schema): TypeView {
  let view = views.get(schema);
  if (view === undefined) views.set(schema, (view = makeView(schema)));
  return view;
}

function makeView(schema: Schema): TypeView {
  switch (schema.kind) {
    case 'scalar':
      return scalarView(schema);
    case 'list':
      return listView(schema, { atomic: true, keys: [] });
    case 'map':
      return mapOnly('', {
        atomic: false,
        field: () => undefined,
        hasNoFields: true,
        get element() {
          return viewOfSchema(schema.values);
        },
      });
    case 'struct':
      return structView(schema);
  }
}

function mapOnly(name: string, map: MapView): TypeView {
  return { name, scalar: undefined, list: undefined, map };
}

function scalarOnly(scalar: TypedScalarKind): TypeView {
  return { name: '', scalar, list: undefined, map: undefined };
}

const numeric = scalarOnly('numeric');
const boolean = scalarOnly('boolean');
const string = scalarOnly('string');
const untyped = scalarOnly('untyped');
/** For scalars that have their own OpenAPI model. */
const untypedModel: TypeView = { ...untyped, name: 'io.k8s.apimachinery' };
/** For values to which OpenAPI gives no type. */
const anyForm: TypeView = { name: 'io.k8s.apimachinery', scalar: 'untyped', list: untypedAtomicList, map: deducedMap };

function scalarView({ type, format }: ScalarSchema): TypeView {
  switch (type) {
    case 'bool':
      return boolean;
    case 'string':
      return format === undefined ? string : untyped;
    case 'bytes':
    case 'duration':
      return string;
    case 'time':
    case 'microTime':
    case 'quantity':
      return untypedModel;
    case 'intOrString':
    case 'json':
      return anyForm;
    case 'rawExtension':
      return untypedAtomic;
    case 'fieldsV1':
      return mapOnly('', deducedMap);
    default:
      return numeric;
  }
}

function listView(schema: ListSchema, { atomic, keys }: Pick<ListView, 'atomic' | 'keys'>): TypeView {
  return {
    name: '',
    scalar: undefined,
    map: undefined,
    list: {
      atomic,
      keys,
      get items() {
        return viewOfSchema(schema.items);
      },
    },
  };
}

function structView(schema: StructSchema): TypeView {
  if (schema.jsonForm !== undefined) return { ...anyForm, name: schema.name };
  return mapOnly(schema.name, new StructMap(schema, schema.mapType === 'atomic'));
}

/** The fields of a struct. */
class StructMap implements MapView {
  readonly atomic: boolean;
  readonly #schema: StructSchema;
  #fields: Map<string, FieldView> | undefined;

  constructor(schema: StructSchema, atomic: boolean) {
    this.#schema = schema;
    this.atomic = atomic;
  }

  field(name: string): FieldView | undefined {
    this.#fields ??= new Map(this.#schema.flat.map((field) => [field.name, new StructField(field)]));
    return this.#fields.get(name);
  }

  get hasNoFields(): boolean {
    return this.#schema.flat.length === 0;
  }

  get element(): TypeView | undefined {
    return this.hasNoFields ? deducedView : undefined;
  }
}

class StructField implements FieldView {
  readonly element: PathElement;
  readonly #field: Field;
  #type: TypeView | undefined;

  constructor(field: Field) {
    this.#field = field;
    this.element = PathElement.field(field.name);
  }

  get type(): TypeView {
    return (this.#type ??= fieldType(this.#field));
  }

  get default(): JsonValue | undefined {
    return this.#field.default ?? zeroDefault(this.#field);
  }
}

/** The view of a field's type; the field may set the list type or the map type itself. */
function fieldType(field: Field): TypeView {
  const { schema, mapType } = field;
  if (schema.kind === 'list') return listView(schema, listRelation(field));
  const view = viewOfSchema(schema);
  if (mapType === undefined || view.map === undefined) return view;
  const atomic = mapType === 'atomic';
  if (view.map.atomic === atomic) return view;
  if (schema.kind === 'struct') return mapOnly(view.name, new StructMap(schema, atomic));
  const { element } = view.map;
  return mapOnly(view.name, { atomic, field: () => undefined, hasNoFields: true, element });
}

/** The zero value that OpenAPI gives as default to a field that is neither a pointer nor left out when empty. */
function zeroDefault({ schema, pointer, omitEmpty, oddZeroDefault }: Field): JsonValue | undefined {
  if (schema.kind !== 'scalar' || pointer || omitEmpty !== (oddZeroDefault === true)) return undefined;
  switch (schema.type) {
    case 'string':
      return '';
    case 'bool':
      return false;
    case 'int32':
    case 'int64':
    case 'uint32':
    case 'uint64':
    case 'float':
    case 'double':
      return 0;
    default:
      return undefined;
  }
}
