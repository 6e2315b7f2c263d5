import type { TerminalNode, Token } from 'antlr4ng';
import type { Expression } from '#shared/cel/syntax/expression.ts';
import type { Issue } from '#shared/cel/syntax/issue.ts';
import { ExpressionIds } from '#shared/cel/syntax/make-expressions.ts';
import type { Value } from '#shared/cel/values/value.ts';
import { type RuleNode, isRule } from './grammar.ts';

/** Helpers that read a parse tree, and the errors found so far. */
export class TreeReader {
  readonly issues: Issue[] = [];
  protected readonly ids = new ExpressionIds();
  protected readonly offsetOf: (line: number, column: number) => number;

  constructor(offsetOf: (line: number, column: number) => number) {
    this.offsetOf = offsetOf;
  }

  protected placeholder(offset: number, value: Value = null): Expression {
    return { kind: 'literal', id: this.ids.next(offset), value };
  }

  protected rules(node: RuleNode, index: number): RuleNode[] {
    return (node.children ?? []).filter((child): child is RuleNode => isRule(child, index));
  }

  protected tokens(node: RuleNode): Token[] {
    return (node.children ?? []).filter((child) => !isRule(child)).map((child) => (child as TerminalNode).symbol);
  }

  protected start(node: RuleNode): number {
    return node.start === null ? -1 : this.at(node.start);
  }

  protected at(token: Token): number {
    return this.offsetOf(token.line, token.column);
  }

  protected report(offset: number, message: string): Expression {
    this.issues.push({ offset, message });
    return this.placeholder(offset);
  }
}
