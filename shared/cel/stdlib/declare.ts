import type { FunctionDeclaration, Overload } from '#shared/cel/contract/function-declaration.ts';
import type { CelType } from '#shared/cel/values/cel-type.ts';

type Rest = Partial<Omit<Overload, 'id' | 'parameters' | 'result'>>;

export function overload(id: string, parameters: readonly CelType[], result: CelType, rest: Rest = {}): Overload {
  return { id, parameters, result, ...rest };
}

export function member(id: string, parameters: readonly CelType[], result: CelType, rest: Rest = {}): Overload {
  return { id, member: true, parameters, result, ...rest };
}

/** A function whose overloads share one implementation. */
export function shared(
  name: string,
  implementation: NonNullable<FunctionDeclaration['implementation']>,
  overloads: readonly Overload[],
): FunctionDeclaration {
  return { name, implementation, overloads };
}
