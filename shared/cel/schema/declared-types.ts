import { isLanguageWord } from '#shared/cel/syntax/reserved-names.ts';
import type { TypeProvider } from '#shared/cel/types/type-provider.ts';
import {
  boolType,
  bytesType,
  doubleType,
  durationType,
  dynType,
  intType,
  listType,
  mapType,
  objectType,
  stringType,
  timestampType,
  type CelType,
} from '#shared/cel/values/cel-type.ts';
import type { DeclaredType } from './declared-type.ts';

/**
 * The object types of one schema, named by their path in it: `selfType.spec.@idx`. A type gets its name when an
 * expression first refers to it.
 */
export class DeclaredTypes implements TypeProvider {
  readonly root: CelType;
  readonly #objects = new Map<string, DeclaredType>();

  constructor(root: DeclaredType, name: string) {
    this.root = this.#typeOf(root, name);
  }

  findType(name: string): CelType | undefined {
    return this.#objects.has(name) ? objectType(name) : undefined;
  }

  findField(typeName: string, field: string): CelType | undefined {
    const object = this.#objects.get(typeName);
    // A reserved word may be used as a field name without escapes.
    const type = object?.field?.(field) ?? (isLanguageWord(field) ? object?.field?.(`__${field}__`) : undefined);
    return type === undefined ? undefined : this.#typeOf(type, `${typeName}.${field}`);
  }

  #typeOf(type: DeclaredType, name: string): CelType {
    switch (type.kind) {
      case 'bool':
        return boolType;
      case 'bytes':
        return bytesType;
      case 'double':
        return doubleType;
      case 'duration':
        return durationType;
      case 'dyn':
        return dynType;
      case 'int':
        return intType;
      case 'string':
        return stringType;
      case 'timestamp':
        return timestampType;
      case 'list':
        return listType(this.#typeOf(type.element ?? type, `${name}.@idx`));
      case 'map':
        return mapType(stringType, this.#typeOf(type.element ?? type, `${name}.@elem`));
      case 'object':
        this.#objects.set(name, type);
        return objectType(name);
    }
  }
}
