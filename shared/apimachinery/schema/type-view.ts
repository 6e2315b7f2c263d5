import type { JsonValue } from '#shared/apimachinery/json/json.ts';
import { PathElement } from './path-element.ts';

/**
 * A type as apply sees it: which forms a value may take (scalar, list, object), and which parts of it can have their
 * own owners. Built-in types and custom resources become views (`viewOfSchema`, `viewOfStructural`); every part is
 * derived on first use. Model: structured-merge-diff's schema.Atom.
 */
export interface TypeView {
  /** Name for error texts; empty for a type without a name. */
  readonly name: string;
  readonly scalar: TypedScalarKind | undefined;
  readonly list: ListView | undefined;
  readonly map: MapView | undefined;
}

export type TypedScalarKind = 'numeric' | 'string' | 'boolean' | 'untyped';

/** `atomic`: one owner for the whole list. Otherwise items are found by `keys`, or, without any, by their value. */
export interface ListView {
  readonly atomic: boolean;
  readonly keys: readonly string[];
  readonly items: TypeView;
}

/** An object, with declared fields or without. */
export interface MapView {
  readonly atomic: boolean;
  /** The declared field of that name. */
  field(name: string): FieldView | undefined;
  /** True if no field is declared. */
  readonly hasNoFields: boolean;
  /** Type of undeclared fields; undefined where only declared fields are allowed. */
  readonly element: TypeView | undefined;
}

export interface FieldView {
  readonly element: PathElement;
  readonly type: TypeView;
  /** The default value of a key that a list item lacks; undefined if there is none. */
  readonly default: JsonValue | undefined;
}

/** The type of a field or value that no schema allows. */
export const noType: TypeView = { name: '', scalar: undefined, list: undefined, map: undefined };

/** A list of anything, owned as a whole. */
export const untypedAtomicList: ListView = {
  atomic: true,
  keys: [],
  get items() {
    return untypedAtomic;
  },
};

/** Any value, owned as a whole. */
export const untypedAtomic: TypeView = {
  name: '__untyped_atomic_',
  scalar: 'untyped',
  list: untypedAtomicList,
  map: {
    atomic: true,
    field: () => undefined,
    hasNoFields: true,
    get element() {
      return untypedAtomic;
    },
  },
};

/** The type of values without a schema: objects of any shape, whose keys have owners; lists are owned as a whole. */
export const deducedView: TypeView = {
  name: '__untyped_deduced_',
  scalar: 'untyped',
  list: untypedAtomicList,
  map: {
    atomic: false,
    field: () => undefined,
    hasNoFields: true,
    get element() {
      return deducedView;
    },
  },
};

/** An object with any fields. */
export const deducedMap: MapView = { atomic: false, field: () => undefined, hasNoFields: true, element: deducedView };

/** The path element of a key of an object. */
export function elementOfKey(field: FieldView | undefined, key: string): PathElement {
  return field === undefined ? PathElement.field(key) : field.element;
}
