import type { JsonValue } from '#shared/apimachinery/json/json.ts';
import { PathElement } from '#shared/apimachinery/schema/path-element.ts';
import {
  deducedView,
  noType,
  type FieldView,
  type ListView,
  type MapView,
  type TypedScalarKind,
  type TypeView,
} from '#shared/apimachinery/schema/type-view.ts';

interface RecordedRef {
  readonly named?: string;
  readonly inlined?: RecordedAtom;
  readonly relation?: string;
}

interface RecordedAtom {
  readonly scalar?: TypedScalarKind;
  readonly list?: { readonly items: RecordedRef; readonly relation: string; readonly keys: readonly string[] | null };
  readonly map?: {
    readonly fields: Readonly<Record<string, { readonly type: RecordedRef; readonly default?: JsonValue }>>;
    readonly element: RecordedRef;
    readonly relation: string;
  };
}

export type RecordedSchemas = Readonly<Record<string, Readonly<Record<string, RecordedAtom>>>>;

export interface RecordedType {
  readonly schema: string;
  readonly ref: RecordedRef;
}

/** Schemas of the module's tests as views. */
export class RecordedViews {
  readonly #schemas: RecordedSchemas;
  readonly #views = new Map<string, TypeView>();

  constructor(schemas: RecordedSchemas) {
    this.#schemas = schemas;
  }

  view({ schema, ref }: RecordedType): TypeView {
    const key = `${schema} ${JSON.stringify(ref)}`;
    let view = this.#views.get(key);
    if (view === undefined) this.#views.set(key, (view = this.#make(schema, ref)));
    return view;
  }

  #make(schema: string, { named, inlined, relation }: RecordedRef): TypeView {
    if (named === deducedView.name) return deducedView;
    const atom = named === undefined ? inlined : this.#schemas[schema]?.[named];
    if (atom === undefined) return noType;
    const { scalar, list, map } = atom;
    return {
      name: named ?? '',
      scalar,
      list: list && this.#list(schema, list, relation ?? list.relation),
      map: map && this.#map(schema, map, relation ?? map.relation),
    };
  }

  #list(schema: string, { items, keys }: NonNullable<RecordedAtom['list']>, relation: string): ListView {
    const itemsOf = (): TypeView => this.view({ schema, ref: items });
    return {
      atomic: relation !== 'associative',
      keys: keys ?? [],
      get items() {
        return itemsOf();
      },
    };
  }

  #map(schema: string, { fields, element }: NonNullable<RecordedAtom['map']>, relation: string): MapView {
    const elementOf = (): TypeView | undefined =>
      Object.keys(element).length === 0 ? undefined : this.view({ schema, ref: element });
    const field = (name: string): FieldView | undefined => {
      const found = Object.hasOwn(fields, name) ? fields[name] : undefined;
      return (
        found && {
          element: PathElement.field(name),
          type: this.view({ schema, ref: found.type }),
          default: found.default,
        }
      );
    };
    return {
      atomic: relation === 'atomic',
      field,
      hasNoFields: Object.keys(fields).length === 0,
      get element() {
        return elementOf();
      },
    };
  }
}
