import type { CelType } from '#shared/cel/values/cel-type.ts';

/** Whether two types are the same, including the names of type parameters. */
export function isSameType(a: CelType, b: CelType): boolean {
  return compare(a, b, true);
}

/** Whether two types are the same, apart from the names of type parameters. */
export function isEquivalentType(a: CelType, b: CelType): boolean {
  return compare(a, b, false);
}

function compare(a: CelType, b: CelType, parameterNames: boolean): boolean {
  if (a === b) return true;
  if (a.kind !== b.kind || a.parameters.length !== b.parameters.length) return false;
  if ((parameterNames || a.kind !== 'parameter') && a.name !== b.name) return false;
  return a.parameters.every((parameter, index) => compare(parameter, b.parameters[index] as CelType, parameterNames));
}

/** Whether a value of type `given` is accepted where `declared` is declared; does not bind type parameters. */
export function takesType(declared: CelType, given: CelType): boolean {
  if (declared === given) return true;
  if (declared.nullable)
    return given.kind === 'null' || (sameName(declared, given) && takesParameters(declared, given));
  if (declared.kind === 'dyn' || declared.kind === 'any' || declared.kind === 'parameter') return true;
  return sameName(declared, given) && takesParameters(declared, given);
}

function sameName(a: CelType, b: CelType): boolean {
  return a.kind === b.kind && a.name === b.name && a.parameters.length === b.parameters.length;
}

function takesParameters(declared: CelType, given: CelType): boolean {
  return declared.parameters.every((parameter, index) => takesType(parameter, given.parameters[index] as CelType));
}
