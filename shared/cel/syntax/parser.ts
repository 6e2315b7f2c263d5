import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import { partIsOver } from '#shared/cel/values/part-is-over.ts';
import { balance } from './balance.ts';
import type { Expression, MapEntry, StructField } from './expression.ts';
import type { Macro } from './macro.ts';
import { products, relations, sums } from './operators.ts';
import { ExpressionRejected, ExpressionTooDeep, maxDepth } from './parse-refusals.ts';
import { reservedNames } from './reserved-names.ts';
import { TokenCursor } from './token-cursor.ts';
import type { Tokens } from './tokens.ts';

/** Parses the tokens of an expression in one pass, expands macros, and assigns the same ids as cel-go. */
export class Parser extends TokenCursor {
  readonly #optionals: boolean;
  /** The depth of the last parsed expression, counted in calls, selections and operators. */
  #height = 0;
  #open = { expression: 0, relation: 0, calculation: 0 };

  constructor(text: string, tokens: Tokens, macros: ReadonlyMap<string, Macro>, optionals: boolean) {
    super(text, tokens, macros);
    this.#optionals = optionals;
  }

  /** @throws Refused, ExpressionTooDeep, ExpressionTooLarge */
  *parse(): Steps<Expression> {
    const expression = yield* this.#expression();
    if (this.kind() !== 'end') throw new ExpressionRejected();
    if (this.#height > maxDepth) throw new ExpressionTooDeep('max recursion depth exceeded');
    return expression;
  }

  #enter(rule: 'expression' | 'relation' | 'calculation'): void {
    if (++this.#open[rule] > maxDepth) throw new ExpressionTooDeep(`expression recursion limit exceeded: ${maxDepth}`);
  }

  *#expression(): Steps<Expression> {
    this.#enter('expression');
    let result = yield* this.#or();
    if (this.kind() === '?') {
      const id = this.ids.next(this.start(this.at++));
      const height = this.#height;
      const yes = yield* this.#or();
      const heightOfYes = this.#height;
      this.expect(':');
      const no = yield* this.#expression();
      result = this.call(id, '_?_:_', undefined, [result, yes, no]);
      this.#height = 1 + Math.max(height, heightOfYes, this.#height);
    }
    this.#open.expression--;
    return result;
  }

  #or(): Steps<Expression> {
    return this.#chain('||', '_||_');
  }

  *#chain(operator: '||' | '&&', name: string): Steps<Expression> {
    const term = (): Steps<Expression> => (operator === '||' ? this.#chain('&&', '_&&_') : this.#relation());
    const first = yield* term();
    if (this.kind() !== operator) return first;
    const terms = [first];
    const ids: number[] = [];
    let height = this.#height;
    while (this.kind() === operator) {
      const token = this.at++;
      terms.push(yield* term());
      ids.push(this.ids.next(this.start(token)));
      height = Math.max(height, this.#height);
    }
    this.#height = height;
    return yield* balance(name, terms, ids);
  }

  *#relation(): Steps<Expression> {
    this.#enter('relation');
    let left = yield* this.#calculation(0);
    for (let name = relations.get(this.kind()); name !== undefined; name = relations.get(this.kind())) {
      const token = this.at++;
      this.#enter('relation');
      left = yield* this.#binary(name, token, left, 0);
      this.#open.relation--;
    }
    this.#open.relation--;
    return left;
  }

  /** Parses operators whose precedence is at least `binding`: sums have precedence 1, products 2. */
  *#calculation(binding: number): Steps<Expression> {
    this.#enter('calculation');
    let left = yield* this.#unary();
    for (;;) {
      const product = products.get(this.kind());
      const name = product ?? (binding < 2 ? sums.get(this.kind()) : undefined);
      if (name === undefined || (product !== undefined && binding > 2)) break;
      const token = this.at++;
      left = yield* this.#binary(name, token, left, product === undefined ? 2 : 3);
    }
    this.#open.calculation--;
    return left;
  }

  *#binary(name: string, token: number, left: Expression, binding: number): Steps<Expression> {
    const height = this.#height;
    const id = this.ids.next(this.start(token));
    const right = yield* this.#calculation(binding);
    this.#height = 1 + Math.max(height, this.#height);
    return this.call(id, name, undefined, [left, right]);
  }

  *#unary(): Steps<Expression> {
    const kind = this.kind();
    if (kind !== '!' && kind !== '-') return yield* this.#member();
    const next = this.kind(1);
    if (kind === '-' && (next === 'int' || next === 'float')) return yield* this.#member();
    const first = this.at;
    while (this.kind() === kind) this.at++;
    if ((this.at - first) % 2 === 0) return yield* this.#member();
    const id = this.ids.next(this.start(first));
    return this.call(id, kind === '!' ? '!_' : '-_', undefined, [yield* this.#member()]);
  }

  *#member(): Steps<Expression> {
    let result = yield* this.#primary();
    for (;;) {
      if (partIsOver()) yield;
      if (this.accept('.')) result = yield* this.#field(result, this.at - 1);
      else if (this.accept('[')) result = yield* this.#index(result, this.at - 1);
      else return result;
    }
  }

  *#field(operand: Expression, dot: number): Steps<Expression> {
    const optional = this.accept('?');
    const name = this.at;
    if (this.kind() === 'identifier' && !optional && this.kind(1) === '(') {
      this.at += 2;
      const height = this.#height;
      const id = this.ids.next(this.start(name + 1));
      const args = yield* this.#args();
      this.#height = 1 + Math.max(height, this.#height);
      return this.call(id, this.tokenText(name), operand, args);
    }
    const field = this.escapableName();
    this.#height++;
    if (field === undefined) this.report(this.start(name), "unsupported syntax: '`'");
    if (!optional)
      return { kind: 'select', id: this.ids.next(this.start(dot)), operand, field: field ?? '', testOnly: false };
    if (!this.#optionals) return this.report(this.start(dot), "unsupported syntax '.?'");
    const literal = this.literal(name, field ?? '');
    return {
      kind: 'call',
      id: this.ids.next(this.start(dot)),
      function: '_?._',
      target: undefined,
      args: [operand, literal],
    };
  }

  *#index(operand: Expression, bracket: number): Steps<Expression> {
    const height = this.#height;
    const id = this.ids.next(this.start(bracket));
    const optional = this.accept('?');
    const index = yield* this.#expression();
    this.expect(']');
    this.#height = 1 + Math.max(height, this.#height);
    if (optional && !this.#optionals) return this.report(this.start(bracket), "unsupported syntax '[?'");
    return this.call(id, optional ? '_[?_]' : '_[_]', undefined, [operand, index]);
  }

  *#primary(): Steps<Expression> {
    this.#height = 0;
    const token = this.at++;
    switch (this.tokens.kinds[token]) {
      case '(': {
        const inner = yield* this.#expression();
        this.expect(')');
        return inner;
      }
      case '[':
        return yield* this.#list(token);
      case '{':
        return yield* this.#map(token);
      case '.':
        return yield* this.#named(token, this.expect('identifier'));
      case 'identifier':
        return yield* this.#named(token, token);
      case '-':
        return this.number(token, this.at++, true);
      case 'int':
      case 'uint':
      case 'float':
        return this.number(token, token, false);
      case 'string':
        return this.quoted(token, false);
      case 'bytes':
        return this.quoted(token, true);
      case 'true':
        return this.literal(token, true);
      case 'false':
        return this.literal(token, false);
      case 'null':
        return this.literal(token, null);
      default:
        throw new ExpressionRejected();
    }
  }

  *#named(first: number, name: number): Steps<Expression> {
    const messageBrace = this.braceOfMessage();
    if (messageBrace !== undefined) return yield* this.#struct(first, messageBrace);
    const text = this.tokenText(name);
    const issues = this.issues.length;
    const called = this.accept('(');
    const id = called && !reservedNames.has(text) ? this.ids.next(this.start(this.at - 1)) : 0;
    const args = called ? yield* this.#args() : [];
    if (reservedNames.has(text)) {
      this.issues.length = issues;
      return this.report(this.start(first), `reserved identifier: ${text}`);
    }
    const full = first === name ? text : `.${text}`;
    return called
      ? this.call(id, full, undefined, args)
      : { kind: 'identifier', id: this.ids.next(this.start(name)), name: full };
  }

  *#args(): Steps<Expression[]> {
    const args: Expression[] = [];
    let height = 0;
    if (this.accept(')')) {
      this.#height = 0;
      return args;
    }
    do {
      args.push(yield* this.#expression());
      height = Math.max(height, this.#height);
    } while (this.accept(','));
    this.expect(')');
    this.#height = height;
    return args;
  }

  *#list(bracket: number): Steps<Expression> {
    const id = this.ids.next(this.start(bracket));
    const elements: Expression[] = [];
    const optional: number[] = [];
    let height = 0;
    for (let first = true; this.nextItem(']', first); first = false) {
      const mark = this.optionalMark();
      const element = yield* this.#expression();
      if (mark >= 0 && this.#optionals) optional.push(elements.length);
      else if (mark >= 0) this.report(this.start(mark), "unsupported syntax '?'");
      elements.push(element);
      height = Math.max(height, this.#height);
    }
    this.#height = height;
    return { kind: 'list', id, elements, optional };
  }

  *#map(brace: number): Steps<Expression> {
    const id = this.ids.next(this.start(brace));
    const entries: MapEntry[] = [];
    let height = 0;
    for (let first = true; this.nextItem('}', first); first = false) {
      const mark = this.optionalMark();
      const entryId = this.ids.next(0);
      const key = yield* this.#expression();
      height = Math.max(height, this.#height);
      this.ids.offsets[entryId] = this.start(this.expect(':'));
      const value = yield* this.#expression();
      height = Math.max(height, this.#height);
      if (mark >= 0 && !this.#optionals) this.report(this.start(mark), "unsupported syntax '?'");
      else entries.push({ id: entryId, key, value, optional: mark >= 0 });
    }
    this.#height = height;
    return { kind: 'map', id, entries };
  }

  *#struct(first: number, brace: number): Steps<Expression> {
    const name = this.tokenTexts(first, brace);
    this.at = brace + 1;
    const id = this.ids.next(this.start(brace));
    const fields: StructField[] = [];
    const start = this.start();
    let height = 0;
    for (let first = true; this.nextItem('}', first); first = false) {
      const mark = this.optionalMark();
      const field = this.escapableName();
      const fieldId = this.ids.next(this.start(this.expect(':')));
      if (mark >= 0 && !this.#optionals) this.report(this.start(mark), "unsupported syntax '?'");
      else if (field === undefined) this.report(start, "unsupported syntax: '`'");
      const value = yield* this.#expression();
      if (field !== undefined) fields.push({ id: fieldId, name: field, value, optional: mark >= 0 });
      height = Math.max(height, this.#height);
    }
    this.#height = height;
    return { kind: 'struct', id, name, fields };
  }
}
