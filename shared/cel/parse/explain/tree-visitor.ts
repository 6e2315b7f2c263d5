import type { ParseTree, TerminalNode, Token } from 'antlr4ng';
import type { Expression } from '#shared/cel/syntax/expression.ts';
import { parseDoubleLiteral, parseIntLiteral, parseUintLiteral } from '#shared/cel/syntax/literals.ts';
import { macroKey } from '#shared/cel/syntax/macro-key.ts';
import { MacroError, type Macro } from '#shared/cel/syntax/macro.ts';
import { expressionFactory } from '#shared/cel/syntax/make-expressions.ts';
import { maxDepth, ExpressionTooDeep } from '#shared/cel/syntax/parse-refusals.ts';
import { reservedNames } from '#shared/cel/syntax/reserved-names.ts';
import { unescapeLiteral } from '#shared/cel/syntax/unescape.ts';
import {
  type RuleNode,
  escapedToken,
  identifierToken,
  isPassedOver,
  isRule,
  levels,
  grammarOperators,
  rule,
} from './grammar.ts';
import { TreeReader } from './tree-reader.ts';

/** Visits the parse tree of an invalid expression and collects further errors, such as those of literals and macros. */
export class TreeVisitor extends TreeReader {
  readonly #macros: ReadonlyMap<string, Macro>;
  readonly #optionals: boolean;
  #depth = 0;

  constructor(
    macros: ReadonlyMap<string, Macro>,
    optionals: boolean,
    offsetOf: (line: number, column: number) => number,
  ) {
    super(offsetOf);
    this.#macros = macros;
    this.#optionals = optionals;
  }

  /** @throws ExpressionTooDeep */
  visit(tree: ParseTree | null | undefined): Expression {
    if (!isRule(tree)) return this.placeholder(-1);
    // A rule with a single child only passes on the result of that child, so it is not counted as a level.
    const isLevel = levels.has(tree.ruleIndex) && (tree.children ?? []).length > 1;
    if (isLevel && ++this.#depth > maxDepth) throw new ExpressionTooDeep('max recursion depth exceeded');
    const result = this.#visitRule(tree);
    if (isLevel) this.#depth--;
    return result;
  }

  #visitRule(tree: RuleNode): Expression {
    const children = tree.children ?? [];
    switch (tree.ruleIndex) {
      case rule.start:
        return this.visit(this.rules(tree, rule.expr)[0]);
      case rule.expr:
        return this.#choice(tree);
      case rule.or:
        return this.#chain(tree, '||', rule.and);
      case rule.and:
        return this.#chain(tree, '&&', rule.relation);
      case rule.relation:
      case rule.calc:
        return this.#binary(tree);
      case rule.unary:
        return this.#unary(tree);
      case rule.member:
        return this.#member(tree, children);
      case rule.primary:
        return this.#primary(tree);
      case rule.literal:
        return this.#literal(tree, children);
      default:
        return this.placeholder(-1);
    }
  }

  #choice(node: RuleNode): Expression {
    const [condition, yes] = this.rules(node, rule.or);
    const mark = this.tokens(node).find(({ text }) => text === '?');
    const first = this.visit(condition);
    if (mark === undefined) return first;
    this.visit(yes);
    this.visit(this.rules(node, rule.expr)[0]);
    return this.placeholder(this.at(mark));
  }

  #chain(node: RuleNode, operator: string, term: number): Expression {
    const [first, ...rest] = this.rules(node, term);
    const grammarOperators = this.tokens(node).filter(({ text }) => text === operator);
    const result = this.visit(first);
    for (const [index] of grammarOperators.entries()) {
      if (index >= rest.length) return this.report(this.start(node), `unexpected character, wanted '${operator}'`);
      this.visit(rest[index]);
    }
    return grammarOperators[0] === undefined ? result : this.placeholder(this.at(grammarOperators[0]));
  }

  #binary(node: RuleNode): Expression {
    const inner = node.ruleIndex === rule.relation ? rule.calc : rule.unary;
    const operands = this.rules(node, node.ruleIndex);
    if (operands.length === 0) return this.visit(this.rules(node, inner)[0]);
    const [operator] = this.tokens(node);
    if (operator === undefined || !grammarOperators.has(operator.text ?? ''))
      return this.report(this.start(node), 'operator not found');
    for (const operand of operands) this.visit(operand);
    return this.placeholder(this.at(operator));
  }

  /** An even number of signs cancels out. */
  #unary(node: RuleNode): Expression {
    const operand = this.visit(this.rules(node, rule.member)[0]);
    const signs = this.tokens(node).filter(({ text }) => text === '!' || text === '-');
    const [first] = signs;
    return first === undefined || signs.length % 2 === 0 ? operand : this.placeholder(this.at(first));
  }

  #member(node: RuleNode, children: readonly ParseTree[]): Expression {
    const [first] = children;
    if (isRule(first, rule.primary)) return this.visit(first);
    const operand = this.visit(this.rules(node, rule.member)[0]);
    // Tokens of error recovery are left out: if no operator is left, a generated parser returns the operand itself.
    const tokens = children
      .filter((child): child is TerminalNode => !isRule(child) && !isPassedOver(child))
      .map(({ symbol }) => symbol);
    const [operator, second] = tokens;
    if (operator === undefined) return operand;
    if (operator.text === '[') {
      this.visit(this.rules(node, rule.expr)[0]);
      return second?.text === '?' && !this.#optionals
        ? this.report(this.at(operator), "unsupported syntax '[?'")
        : this.placeholder(this.at(operator));
    }
    const [name] = this.rules(node, rule.escapeIdent);
    if (name !== undefined) return this.#select(operator, operand, name, second?.text === '?');
    const open = tokens.find(({ text }) => text === '(');
    if (second === undefined || second.text === '?' || open === undefined) return operand;
    const args = this.#args(node);
    return this.#call(this.at(open), second.text ?? '', operand, args);
  }

  #select(operator: Token, operand: Expression, name: RuleNode, optional: boolean): Expression {
    const field = this.#name(name);
    if (field.error !== undefined) this.report(this.start(name), field.error);
    const id = this.ids.next(this.at(operator));
    return optional
      ? { kind: 'literal', id, value: null }
      : { kind: 'select', id, operand, field: field.text, testOnly: false };
  }

  #name(node: RuleNode | undefined): { text: string; error?: string } {
    const token =
      node === undefined
        ? undefined
        : this.tokens(node).find(({ type }) => type === identifierToken || type === escapedToken);
    // ANTLR can insert a token in place of a missing name; such a token has no index in the text.
    if (token === undefined || (token.tokenIndex < 0 && token.text?.startsWith('<missing') !== true))
      return { text: '', error: 'unsupported ident kind' };
    const text = token.text ?? '';
    return token.type === escapedToken ? { text: '', error: "unsupported syntax: '`'" } : { text };
  }

  #args(node: RuleNode): Expression[] {
    const [list] = this.rules(node, rule.exprList);
    return list === undefined ? [] : this.rules(list, rule.expr).map((arg) => this.visit(arg));
  }

  #call(offset: number, name: string, target: Expression | undefined, args: readonly Expression[]): Expression {
    const receiver = target !== undefined;
    const macro =
      this.#macros.get(macroKey(name, receiver, args.length)) ?? this.#macros.get(macroKey(name, receiver, undefined));
    const id = this.ids.next(offset);
    try {
      return (
        macro?.expand(expressionFactory(this.ids, id), target, args) ?? {
          kind: 'call',
          id,
          function: name,
          target,
          args,
        }
      );
    } catch (error) {
      if (!(error instanceof MacroError)) throw error;
      return this.report(this.ids.offsetOf(error.expressionId ?? id), error.message);
    }
  }

  #primary(node: RuleNode): Expression {
    const [literal] = this.rules(node, rule.literal);
    if (literal !== undefined) return this.visit(literal);
    const tokens = this.tokens(node);
    const [first] = tokens;
    if (first === undefined) return this.placeholder(-1);
    switch (first.text) {
      case '(':
        return this.visit(this.rules(node, rule.expr)[0]);
      case '[':
        return this.#list(first, node);
      case '{':
        return this.#map(first, this.rules(node, rule.entries)[0]);
      default:
        return this.#named(node, tokens);
    }
  }

  #named(node: RuleNode, tokens: readonly Token[]): Expression {
    // Skipped tokens may follow the name, so only the first token that is no part of a dotted name is checked.
    const brace = tokens[tokens.findIndex(({ type, text }) => type !== identifierToken && text !== '.')];
    if (brace?.text === '{') return this.#struct(brace, this.rules(node, rule.fields)[0]);
    const name = tokens[0]?.text === '.' ? tokens[1] : tokens[0];
    const open = tokens[tokens[0]?.text === '.' ? 2 : 1];
    if (name === undefined) return this.placeholder(this.start(node));
    const text = name.text ?? '';
    if (reservedNames.has(text)) return this.report(this.start(node), `reserved identifier: ${text}`);
    const full = name === tokens[0] ? text : `.${text}`;
    if (open?.text !== '(') return { kind: 'identifier', id: this.ids.next(this.at(name)), name: full };
    return this.#call(this.at(open), full, undefined, this.#args(node));
  }

  #list(bracket: Token, node: RuleNode): Expression {
    const [list] = this.rules(node, rule.listInit);
    for (const element of list === undefined ? [] : this.rules(list, rule.optExpr)) {
      this.visit(this.rules(element, rule.expr)[0]);
      this.#judgeMark(element, element);
    }
    return this.placeholder(this.at(bracket));
  }

  #judgeMark(item: RuleNode, place: RuleNode): boolean {
    if (this.#optionals || this.tokens(item)[0]?.text !== '?') return true;
    this.report(this.start(place), "unsupported syntax '?'");
    return false;
  }

  #map(brace: Token, entries: RuleNode | undefined): Expression {
    const keys = entries === undefined ? [] : this.rules(entries, rule.optExpr);
    const values = entries === undefined ? [] : this.rules(entries, rule.expr);
    const colons =
      entries === undefined ? [] : this.tokens(entries).filter(({ text }) => text === ':' || text === "<missing ':'>");
    for (const [index] of colons.entries()) {
      const key = keys[index];
      if (key === undefined || index >= values.length) break;
      if (!this.#judgeMark(key, key)) continue;
      this.visit(this.rules(key, rule.expr)[0]);
      this.visit(values[index]);
    }
    return this.placeholder(this.at(brace));
  }

  #struct(brace: Token, list: RuleNode | undefined): Expression {
    const fields = list === undefined ? [] : this.rules(list, rule.optField);
    const values = list === undefined ? [] : this.rules(list, rule.expr);
    const colons =
      list === undefined ? 0 : this.tokens(list).filter(({ text }) => text === ':' || text === "<missing ':'>").length;
    for (const [index, field] of fields.entries()) {
      if (index >= colons || index >= values.length) break;
      if (!this.#judgeMark(field, field)) continue;
      const name = this.#name(this.rules(field, rule.escapeIdent)[0]);
      if (name.error !== undefined) this.report(this.start(list as RuleNode), name.error);
      else this.visit(values[index]);
    }
    return this.placeholder(this.at(brace));
  }

  #literal(node: RuleNode, children: readonly ParseTree[]): Expression {
    const tokens = this.tokens(node);
    const negative = tokens.length > 1 && tokens[0]?.text === '-';
    const token = negative ? tokens[1] : tokens[0];
    const offset = this.start(node);
    const text = token?.text ?? '';
    if (token === undefined || children.length === 0 || text.startsWith('<missing')) return this.placeholder(offset);
    if (/^[0-9.]/.test(text)) {
      const [value, what] = /[uU]$/.test(text)
        ? [parseUintLiteral(text), 'uint']
        : /^0x|^[0-9]+$/.test(text)
          ? [parseIntLiteral(text, negative), 'int']
          : [parseDoubleLiteral(text, negative), 'double'];
      return value === undefined ? this.report(offset, `invalid ${what} literal`) : this.placeholder(offset, value);
    }
    if (!/^[bBrR]{0,2}["']/.test(text)) return this.placeholder(offset);
    const value = unescapeLiteral(text, /^[bB]/.test(text));
    if ('error' in value) this.report(offset, value.error);
    return this.placeholder(offset, '');
  }
}
