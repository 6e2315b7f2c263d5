import type { TypeProvider } from '#shared/cel/types/type-provider.ts';
import { objectType, type CelType } from '#shared/cel/values/cel-type.ts';

/** A type with fields, such as the types of predefined variables. */
export interface ObjectType {
  readonly name: string;
  /** The map may grow while expressions are compiled. */
  readonly fields: Readonly<Record<string, CelType>> | ReadonlyMap<string, CelType>;
}

/** Provides types with fields by name. */
export class ObjectTypes implements TypeProvider {
  readonly #types: ReadonlyMap<string, ReadonlyMap<string, CelType>>;

  constructor(types: readonly ObjectType[]) {
    this.#types = new Map(
      types.map(({ name, fields }) => [name, fields instanceof Map ? fields : new Map(Object.entries(fields))]),
    );
  }

  findType(name: string): CelType | undefined {
    return this.#types.has(name) ? objectType(name) : undefined;
  }

  findField(typeName: string, field: string): CelType | undefined {
    return this.#types.get(typeName)?.get(field);
  }
}
