import { exactly, unionOfBounds, type Bounds } from '#shared/cel/contract/estimate.ts';
import type { Comprehension, Expression } from '#shared/cel/syntax/expression.ts';
import type { CelType, Kind } from '#shared/cel/values/cel-type.ts';
import { textSize } from '#shared/cel/values/sizes.ts';

/** Sizes of the entries of a list or map. */
export interface EntrySizes {
  readonly kind: 'list' | 'map';
  readonly key: Bounds;
  readonly value: Bounds;
}

export interface LocalVariable {
  readonly path: readonly string[];
  readonly size: Bounds | undefined;
  readonly entries: EntrySizes | undefined;
}

/** Whether a comprehension comes from `cel.bind`: it ranges over an empty list; its accumulator is the variable. */
export function isBind({ range, condition, accumulator }: Comprehension): boolean {
  return (
    range.kind === 'list' &&
    range.elements.length === 0 &&
    condition.kind === 'literal' &&
    condition.value === false &&
    accumulator !== '__result__'
  );
}

export function sizeOfLiteral(e: Expression): Bounds | undefined {
  switch (e.kind) {
    case 'literal':
      return exactly(
        typeof e.value === 'string' ? textSize(e.value) : e.value instanceof Uint8Array ? e.value.length : 1,
      );
    case 'list':
      return exactly(e.elements.length);
    case 'map':
      return exactly(e.entries.length);
    default:
      return undefined;
  }
}

const scalars: ReadonlySet<Kind> = new Set(['bool', 'double', 'duration', 'int', 'timestamp', 'uint']);

export function isScalar(type: CelType): boolean {
  const [parameter] = type.parameters;
  return (
    (!type.nullable && scalars.has(type.kind)) ||
    (type.name === 'optional_type' && parameter !== undefined && isScalar(parameter))
  );
}

export function unionOfEntries(a: EntrySizes | undefined, b: EntrySizes | undefined): EntrySizes | undefined {
  return a === undefined || b === undefined
    ? undefined
    : { kind: a.kind, key: unionOfBounds(a.key, b.key), value: unionOfBounds(a.value, b.value) };
}

/** The comprehension variables in scope, by name. */
export class LocalVariables {
  readonly #stacks = new Map<string, LocalVariable[]>();

  find(name: string): LocalVariable | undefined {
    return this.#stacks.get(name)?.at(-1);
  }

  push(name: string, variable: LocalVariable): void {
    const stack = this.#stacks.get(name);
    if (stack === undefined) this.#stacks.set(name, [variable]);
    else stack.push(variable);
  }

  pop(name: string): void {
    this.#stacks.get(name)?.pop();
  }
}
