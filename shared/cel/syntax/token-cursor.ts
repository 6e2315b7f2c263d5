import type { Value } from '#shared/cel/values/value.ts';
import type { Expression } from './expression.ts';
import type { Issue } from './issue.ts';
import { parseDoubleLiteral, parseIntLiteral, parseUintLiteral } from './literals.ts';
import { macroKey } from './macro-key.ts';
import { MacroError, type Macro } from './macro.ts';
import { ExpressionIds, expressionFactory } from './make-expressions.ts';
import { ExpressionRejected } from './parse-refusals.ts';
import type { TokenKind, Tokens } from './tokens.ts';
import { unescapeLiteral } from './unescape.ts';

/** The current position in the tokens of an expression. Makes the expressions of literals and calls; expands macros. */
export class TokenCursor {
  readonly ids = new ExpressionIds();
  readonly issues: Issue[] = [];
  protected readonly text: string;
  protected readonly tokens: Tokens;
  protected at = 0;
  readonly #macros: ReadonlyMap<string, Macro>;

  constructor(text: string, tokens: Tokens, macros: ReadonlyMap<string, Macro>) {
    this.text = text;
    this.tokens = tokens;
    this.#macros = macros;
  }

  protected kind(ahead = 0): TokenKind {
    return this.tokens.kinds[this.at + ahead] ?? 'end';
  }

  protected start(token = this.at): number {
    return this.tokens.starts[token] ?? 0;
  }

  protected tokenText(token: number): string {
    return this.text.slice(this.tokens.starts[token], this.tokens.ends[token]);
  }

  protected accept(kind: TokenKind): boolean {
    if (this.kind() !== kind) return false;
    this.at++;
    return true;
  }

  /** Consumes a token of the given kind and returns its index. */
  protected expect(kind: TokenKind): number {
    if (this.kind() !== kind) throw new ExpressionRejected();
    return this.at++;
  }

  protected report(offset: number, message: string): Expression {
    const id = this.ids.next(offset);
    this.issues.push({ offset, message });
    return { kind: 'literal', id, value: null };
  }

  /** Consumes a name; returns undefined for one in backquotes, which Kubernetes' environments do not accept. */
  protected escapableName(): string | undefined {
    if (this.accept('escaped')) return undefined;
    return this.tokenText(this.expect('identifier'));
  }

  protected literal(token: number, value: Value): Expression {
    return { kind: 'literal', id: this.ids.next(this.start(token)), value };
  }

  protected number(first: number, token: number, negative: boolean): Expression {
    const text = this.tokenText(token);
    switch (this.tokens.kinds[token]) {
      case 'int':
        return this.checkedLiteral(first, parseIntLiteral(text, negative), 'invalid int literal');
      case 'uint':
        return this.checkedLiteral(first, parseUintLiteral(text), 'invalid uint literal');
      case 'float':
        return this.checkedLiteral(first, parseDoubleLiteral(text, negative), 'invalid double literal');
      default:
        throw new ExpressionRejected();
    }
  }

  protected checkedLiteral(token: number, value: Value | undefined, message: string): Expression {
    return value === undefined ? this.report(this.start(token), message) : this.literal(token, value);
  }

  protected quoted(token: number, isBytes: boolean): Expression {
    const value = unescapeLiteral(this.tokenText(token), isBytes);
    if ('error' in value) this.report(this.start(token), value.error);
    return this.literal(token, 'text' in value ? value.text : 'bytes' in value ? value.bytes : null);
  }

  /** The index of the `{` of a message literal, which follows the rest of a dotted name; undefined if there is none. */
  protected braceOfMessage(): number | undefined {
    let at = this.at;
    const { kinds } = this.tokens;
    while (kinds[at] === '.' && kinds[at + 1] === 'identifier') at += 2;
    return kinds[at] === '{' ? at : undefined;
  }

  protected tokenTexts(first: number, end: number): string {
    let text = '';
    for (let token = first; token < end; token++) text += this.tokenText(token);
    return text;
  }

  protected optionalMark(): number {
    return this.accept('?') ? this.at - 1 : -1;
  }

  /**
   * Whether another item begins; if not, consumes the closing bracket. A comma may follow the last item.
   */
  protected nextItem(close: TokenKind, first: boolean): boolean {
    if (this.accept(close)) return false;
    if (!first) this.expect(',');
    if (this.accept(close)) return false;
    if (!first || !this.accept(',')) return true;
    this.expect(close);
    return false;
  }

  protected call(id: number, name: string, target: Expression | undefined, args: readonly Expression[]): Expression {
    const macro =
      this.#macros.get(macroKey(name, target !== undefined, args.length)) ??
      this.#macros.get(macroKey(name, target !== undefined, undefined));
    if (macro === undefined) return { kind: 'call', id, function: name, target, args };
    try {
      const expanded = macro.expand(expressionFactory(this.ids, id), target, args);
      if (expanded === undefined) return { kind: 'call', id, function: name, target, args };
      this.ids.release(id);
      return expanded;
    } catch (error) {
      if (!(error instanceof MacroError)) throw error;
      const offset = this.ids.offsetOf(error.expressionId ?? id);
      this.ids.release(id);
      return this.report(offset, error.message);
    }
  }
}
