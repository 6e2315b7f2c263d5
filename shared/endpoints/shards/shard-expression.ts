/** An expression of CEL, as far as selectors of shards need it. `kind` is the number by which the reference names it in errors (cel-go common/ast). */
export type ShardExpression =
  | { readonly kind: typeof kinds.call; readonly name: string; readonly args: readonly ShardExpression[] }
  | { readonly kind: typeof kinds.identifier; readonly name: string }
  | { readonly kind: typeof kinds.literal; readonly value: string | number | boolean | null }
  | { readonly kind: typeof kinds.select; readonly operand: ShardExpression; readonly field: string };

export const kinds = { call: 1, identifier: 3, literal: 5, select: 7 } as const;

const tokenPattern = /\s+|\/\/[^\n]*|(?<text>'[^'\\\n]*'|"[^"\\\n]*")|(?<number>\d+(?:\.\d+)?)|(?<word>[A-Za-z_]\w*)|(?<sign>\|\||&&|[=!<>]=|[<>+\-*/%.(),])/y;
const binary: ReadonlySet<string> = new Set(['&&', '==', '!=', '<', '<=', '>', '>=', '+', '-', '*', '/', '%']);
const constants = new Map<string, boolean | null>([['true', true], ['false', false], ['null', null]]);

/** Reads calls, fields, literals and `||` with parentheses; what else joins two of them is a call of that operator. Throws for other texts. */
export function parseShardExpression(text: string): ShardExpression {
  const parser = new Parser(text);
  const expression = parser.or();
  parser.end();
  return expression;
}

class Parser {
  readonly #tokens: readonly string[];
  #at = 0;

  constructor(text: string) {
    const tokens: string[] = [];
    tokenPattern.lastIndex = 0;
    while (tokenPattern.lastIndex < text.length) {
      const from = tokenPattern.lastIndex;
      const match = tokenPattern.exec(text);
      if (match === null) throw syntaxError(text.charAt(from));
      const { text: quoted, number, word, sign } = match.groups ?? {};
      const token = quoted ?? number ?? word ?? sign;
      if (token !== undefined) tokens.push(token);
    }
    this.#tokens = tokens;
  }

  or(): ShardExpression {
    let left = this.#operation();
    while (this.#takes('||')) left = { kind: kinds.call, name: '_||_', args: [left, this.#operation()] };
    return left;
  }

  end(): void {
    if (this.#at < this.#tokens.length) throw syntaxError(this.#tokens[this.#at] ?? '');
  }

  /** Operators that no selector may have: which of them binds closer says nothing then. */
  #operation(): ShardExpression {
    let left = this.#member();
    for (let sign = this.#tokens[this.#at]; sign !== undefined && binary.has(sign); sign = this.#tokens[this.#at]) {
      this.#at += 1;
      left = { kind: kinds.call, name: `_${sign}_`, args: [left, this.#member()] };
    }
    return left;
  }

  #member(): ShardExpression {
    let value = this.#primary();
    while (this.#takes('.')) {
      const field = this.#next();
      if (!/^[A-Za-z_]/.test(field)) throw syntaxError(field);
      value = this.#takes('(') ? { kind: kinds.call, name: field, args: this.#args() } : { kind: kinds.select, operand: value, field };
    }
    return value;
  }

  #primary(): ShardExpression {
    const token = this.#next();
    if (token === '(') {
      const inner = this.or();
      if (!this.#takes(')')) throw syntaxError(this.#next());
      return inner;
    }
    if (/^['"]/.test(token)) return { kind: kinds.literal, value: token.slice(1, -1) };
    if (/^\d/.test(token)) return { kind: kinds.literal, value: Number(token) };
    const constant = constants.get(token);
    if (constant !== undefined) return { kind: kinds.literal, value: constant };
    if (!/^[A-Za-z_]/.test(token)) throw syntaxError(token);
    return this.#takes('(') ? { kind: kinds.call, name: token, args: this.#args() } : { kind: kinds.identifier, name: token };
  }

  #args(): ShardExpression[] {
    if (this.#takes(')')) return [];
    const args = [this.or()];
    while (this.#takes(',')) args.push(this.or());
    if (!this.#takes(')')) throw syntaxError(this.#next());
    return args;
  }

  #takes(token: string): boolean {
    if (this.#tokens[this.#at] !== token) return false;
    this.#at += 1;
    return true;
  }

  #next(): string {
    const token = this.#tokens[this.#at];
    if (token === undefined) throw syntaxError('<EOF>');
    this.#at += 1;
    return token;
  }
}

function syntaxError(token: string): Error {
  return new Error(`CEL parse error: Syntax error: mismatched input '${token}'`);
}
