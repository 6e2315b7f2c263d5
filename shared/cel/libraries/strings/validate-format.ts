import type { Checked } from '#shared/cel/contract/checked.ts';
import type { Validator } from '#shared/cel/contract/validator.ts';
import type { Expression } from '#shared/cel/syntax/expression.ts';
import type { Kind } from '#shared/cel/values/cel-type.ts';
import { partIsOver } from '#shared/cel/values/part-is-over.ts';
import { CelError } from '#shared/cel/values/value.ts';
import { clauseError, formatWith, type ClauseFormatter } from './format.ts';

const printable: readonly Kind[] = [
  'list',
  'map',
  'int',
  'uint',
  'double',
  'bool',
  'string',
  'timestamp',
  'bytes',
  'duration',
  'type',
  'null',
];

/**
 * Checks the argument types of calls of `format` whose format string and argument list are literals.
 */
export const validateFormatCalls: Validator = function* validateFormatCalls(checked, calls, report) {
  for (const call of calls) {
    if (partIsOver()) yield;
    const [list] = call.args;
    const { target } = call;
    if (
      call.function !== 'format' ||
      target?.kind !== 'literal' ||
      typeof target.value !== 'string' ||
      call.args.length !== 1 ||
      list?.kind !== 'list'
    )
      continue;
    const checker = new ArgumentChecker(checked);
    const said = formatWith(target.value, (index) => checker.take(list.elements[index]), checker);
    if (said instanceof CelError) report(checker.wrongId ?? call.id, said.message);
    else if (list.elements.length > checker.taken)
      report(
        call.id,
        `too many arguments supplied to string.format (expected ${checker.taken}, got ${list.elements.length})`,
      );
  }
};

class ArgumentChecker implements ClauseFormatter<Expression> {
  taken = 0;
  wrongId: number | undefined;
  readonly #checked: Checked;

  constructor(checked: Checked) {
    this.#checked = checked;
  }

  take(argument: Expression | undefined): Expression | undefined {
    if (argument !== undefined) this.taken++;
    return argument;
  }

  string(argument: Expression): string | CelError {
    const wrong = this.#notPrintable(argument);
    return wrong === undefined ? '' : this.#said(wrong, 'string');
  }

  decimal(argument: Expression): string | CelError {
    return this.#of(argument, 'decimal', 'int', 'uint');
  }

  fixed(argument: Expression): string | CelError {
    return this.#of(argument, 'fixed', 'double', 'string');
  }

  scientific(argument: Expression): string | CelError {
    return this.#of(argument, 'scientific', 'double', 'string');
  }

  binary(argument: Expression): string | CelError {
    return this.#of(argument, 'binary', 'int', 'uint', 'bool');
  }

  hex(argument: Expression): string | CelError {
    return this.#of(argument, 'hex', 'int', 'uint', 'string', 'bytes');
  }

  octal(argument: Expression): string | CelError {
    return this.#of(argument, 'octal', 'int', 'uint');
  }

  #of(argument: Expression, clause: Parameters<typeof clauseError>[0], ...kinds: readonly Kind[]): string | CelError {
    return this.#has(argument, kinds) ? '' : this.#said(argument, clause);
  }

  #said(argument: Expression, clause: Parameters<typeof clauseError>[0]): CelError {
    this.wrongId = argument.id;
    return clauseError(clause, this.#checked.types[argument.id]?.name ?? '');
  }

  #has(argument: Expression, kinds: readonly Kind[]): boolean {
    const kind = this.#checked.types[argument.id]?.kind;
    return kind === undefined || kind === 'dyn' || kinds.includes(kind);
  }

  #notPrintable(argument: Expression): Expression | undefined {
    if (!this.#has(argument, printable)) return argument;
    const parts =
      argument.kind === 'list'
        ? argument.elements
        : argument.kind === 'map'
          ? argument.entries.flatMap(({ key, value }) => [key, value])
          : [];
    for (const part of parts) {
      const wrong = this.#notPrintable(part);
      if (wrong !== undefined) return wrong;
    }
    return undefined;
  }
}
