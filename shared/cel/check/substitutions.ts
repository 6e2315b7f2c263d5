import { isSameType, takesType } from '#shared/cel/types/same-type.ts';
import { CelType, listType, mapType, opaqueType, dynType, typeOfType } from '#shared/cel/values/cel-type.ts';

/** The types bound to type parameters so far. The bindings of a failed attempt are undone. */
export class Substitutions {
  readonly #found = new Map<string, CelType>();
  readonly #log: [string, CelType | undefined][] = [];
  #variables = 0;

  /** A new type parameter that is not bound yet. */
  newVariable(): CelType {
    return new CelType('parameter', `_var${this.#variables++}`);
  }

  /** Whether two types are assignable; binds type parameters as needed. */
  isAssignable(a: CelType, b: CelType): boolean {
    return this.#attempt(() => this.#assignable(a, b));
  }

  areAssignable(a: readonly CelType[], b: readonly CelType[]): boolean {
    return this.#attempt(() => this.#assignableLists(a, b));
  }

  /** Replaces the bound type parameters in a type. Unbound ones become dyn if `toDyn`, else they stay. */
  apply(type: CelType, toDyn: boolean): CelType {
    const found = type.kind === 'parameter' ? this.#found.get(type.name) : undefined;
    if (found !== undefined) return this.apply(found, toDyn);
    return replaceParameters(type, (parameter) => this.apply(parameter, toDyn), toDyn);
  }

  #attempt(attempt: () => boolean): boolean {
    const from = this.#log.length;
    if (attempt()) return true;
    for (const [name, before] of this.#log.splice(from).reverse()) {
      if (before === undefined) this.#found.delete(name);
      else this.#found.set(name, before);
    }
    return false;
  }

  #set(name: string, type: CelType): void {
    this.#log.push([name, this.#found.get(name)]);
    this.#found.set(name, type);
  }

  #assignable(a: CelType, b: CelType): boolean {
    if (b.kind === 'parameter') {
      const known = this.#found.has(b.name);
      if (this.#stand(a, b)) return true;
      if (known || isSameType(a, b)) return false;
    }
    if (a.kind === 'parameter') return this.#stand(b, a);
    if (isDynOrError(a) || isDynOrError(b)) return true;
    if (a.kind === 'null') return takesNull(b);
    if (b.kind === 'null') return takesNull(a);
    switch (a.kind) {
      case 'type':
        return b.kind === 'type';
      case 'opaque':
      case 'list':
      case 'map':
        return a.kind === b.kind && a.name === b.name && this.#assignableLists(a.parameters, b.parameters);
      default:
        return takesType(b, a);
    }
  }

  #assignableLists(a: readonly CelType[], b: readonly CelType[]): boolean {
    return a.length === b.length && a.every((type, index) => this.#assignable(type, b[index] as CelType));
  }

  /**
   * Binds a type parameter to a type, if that is possible. A parameter that is already bound keeps the more general of
   * the two types.
   */
  #stand(type: CelType, parameter: CelType): boolean {
    if (isSameType(type, parameter)) return true;
    const found = this.#found.get(parameter.name);
    if (found === undefined) {
      if (!this.#isFreeOf(parameter, type)) return false;
      this.#set(parameter.name, type);
      return true;
    }
    if (isSameType(type, found)) return true;
    if (!this.#assignable(type, found)) return false;
    const general = isEqualOrLessSpecific(type, found) ? type : found;
    if (this.#isFreeOf(parameter, general)) this.#set(parameter.name, general);
    return true;
  }

  /** Whether a type does not contain a type parameter, after its bound parameters are resolved. */
  #isFreeOf(parameter: CelType, within: CelType): boolean {
    if (isSameType(parameter, within)) return false;
    if (within.kind === 'parameter') {
      const found = this.#found.get(within.name);
      return found === undefined || this.#isFreeOf(parameter, found);
    }
    return within.kind === 'struct' || within.parameters.every((part) => this.#isFreeOf(parameter, part));
  }
}

/** Replaces the type parameters in a type by the types in a table. */
export function instantiate(type: CelType, table: ReadonlyMap<string, CelType>): CelType {
  return (
    (type.kind === 'parameter' ? table.get(type.name) : undefined) ??
    replaceParameters(type, (parameter) => instantiate(parameter, table), false)
  );
}

function replaceParameters(type: CelType, replace: (parameter: CelType) => CelType, toDyn: boolean): CelType {
  if (toDyn && type.kind === 'parameter') return dynType;
  const [first, second] = type.parameters;
  if (first === undefined) return type;
  switch (type.kind) {
    case 'opaque':
      return opaqueType(type.name, ...type.parameters.map(replace));
    case 'list':
      return listType(replace(first));
    case 'map':
      return mapType(replace(first), replace(second ?? dynType));
    case 'type':
      return typeOfType(replace(first));
    default:
      return type;
  }
}

export function isDyn(type: CelType): boolean {
  return type.kind === 'dyn' || type.kind === 'any';
}

function isDynOrError(type: CelType): boolean {
  return isDyn(type) || type.kind === 'error';
}

function takesNull(type: CelType): boolean {
  return (
    type.nullable ||
    type.kind === 'opaque' ||
    type.kind === 'struct' ||
    type.kind === 'any' ||
    type.kind === 'duration' ||
    type.kind === 'timestamp' ||
    type.kind === 'null'
  );
}

export function isEqualOrLessSpecific(a: CelType, b: CelType): boolean {
  if (isDyn(a) || a.kind === 'parameter') return true;
  if (isDyn(b) || b.kind === 'parameter' || a.kind !== b.kind) return false;
  switch (a.kind) {
    case 'opaque':
    case 'list':
    case 'map':
      return (
        a.name === b.name &&
        a.parameters.length === b.parameters.length &&
        a.parameters.every((parameter, index) => isEqualOrLessSpecific(parameter, b.parameters[index] as CelType))
      );
    case 'type':
      return true;
    default:
      return isSameType(a, b);
  }
}
