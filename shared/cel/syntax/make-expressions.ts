import type { Value } from '#shared/cel/values/value.ts';
import type { Expression, MapEntry, StructField } from './expression.ts';
import type { ExpressionFactory } from './macro.ts';

/**
 * How many expressions the macros of one text may copy. A macro that copies its operand doubles the size, so 20 such
 * macros in a chain would make a million copies.
 */
const maxCopies = 20_000;

/** Thrown if macros copy too many expressions. */
export class ExpressionTooLarge extends Error {}

/** Allocates the ids of expressions and records the offset of each in the text, or -1 if it has none. */
export class ExpressionIds {
  readonly offsets: number[] = [-1];
  #copies = 0;

  next(offset: number): number {
    this.offsets.push(offset);
    return this.offsets.length - 1;
  }

  /** Allocates the id of a copy. @throws ExpressionTooLarge */
  nextOfCopy(offset: number): number {
    if (++this.#copies > maxCopies)
      throw new ExpressionTooLarge(`macros expand the expression too much: limit ${maxCopies}`);
    return this.next(offset);
  }

  /** Releases the id of a call that a macro replaced. Only the last id can be used again; others lose their offset. */
  release(id: number): void {
    if (id === this.offsets.length - 1) this.offsets.pop();
    else this.offsets[id] = -1;
  }

  offsetOf(id: number): number {
    return this.offsets[id] ?? -1;
  }
}

export const accumulatorName = '@result';

/** Makes the expressions of one macro, which all have the position of the macro. */
export function expressionFactory(ids: ExpressionIds, macroId: number): ExpressionFactory {
  const id = (): number => ids.next(ids.offsetOf(macroId));
  const copyId = (expression: Expression): number => ids.nextOfCopy(ids.offsetOf(expression.id));
  const copy = (expression: Expression): Expression => copyExpression(expression, copyId, id);
  return {
    accumulatorName,
    literal: (value: Value) => ({ kind: 'literal', id: id(), value }),
    identifier: (name) => ({ kind: 'identifier', id: id(), name }),
    accumulator: () => ({ kind: 'identifier', id: id(), name: accumulatorName }),
    select: (operand, field) => ({ kind: 'select', id: id(), operand, field, testOnly: false }),
    presenceTest: (operand, field) => ({ kind: 'select', id: id(), operand, field, testOnly: true }),
    call: (name, ...args) => ({ kind: 'call', id: id(), function: name, target: undefined, args }),
    memberCall: (name, target, ...args) => ({ kind: 'call', id: id(), function: name, target, args }),
    list: (...elements) => ({ kind: 'list', id: id(), elements, optional: [] }),
    map: (...entries) => ({ kind: 'map', id: id(), entries }),
    mapEntry: (key, value, optional = false) => ({ id: id(), key, value, optional }),
    struct: (name, ...fields) => ({ kind: 'struct', id: id(), name, fields }),
    structField: (name, value, optional = false) => ({ id: id(), name, value, optional }),
    comprehension: (parts) => ({ kind: 'comprehension', id: id(), variable2: '', ...parts }),
    copy,
  };
}

/** Copies an expression; each node gets a new id, a parent before its children. */
function copyExpression(
  expression: Expression,
  copyId: (expression: Expression) => number,
  entryId: () => number,
): Expression {
  const copy = (part: Expression): Expression => copyExpression(part, copyId, entryId);
  const id = copyId(expression);
  switch (expression.kind) {
    case 'literal':
    case 'identifier':
      return { ...expression, id };
    case 'select':
      return { ...expression, id, operand: copy(expression.operand) };
    case 'call': {
      const args = expression.args.map(copy);
      return { ...expression, id, args, target: expression.target === undefined ? undefined : copy(expression.target) };
    }
    case 'list':
      return { ...expression, id, elements: expression.elements.map(copy) };
    case 'map':
      return {
        ...expression,
        id,
        entries: expression.entries.map((entry): MapEntry => ({
          ...entry,
          id: entryId(),
          key: copy(entry.key),
          value: copy(entry.value),
        })),
      };
    case 'struct':
      return {
        ...expression,
        id,
        fields: expression.fields.map((field): StructField => ({ ...field, id: entryId(), value: copy(field.value) })),
      };
    case 'comprehension':
      return {
        ...expression,
        id,
        range: copy(expression.range),
        init: copy(expression.init),
        condition: copy(expression.condition),
        step: copy(expression.step),
        result: copy(expression.result),
      };
  }
}
