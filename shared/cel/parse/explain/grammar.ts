import type { ParserRuleContext, ParseTree, ParseTreeVisitor } from 'antlr4ng';

/** The numbers of the grammar rules. */
export const rule = {
  start: 0,
  expr: 1,
  or: 2,
  and: 3,
  relation: 4,
  calc: 5,
  unary: 6,
  member: 7,
  primary: 8,
  exprList: 9,
  listInit: 10,
  fields: 11,
  optField: 12,
  entries: 13,
  escapeIdent: 14,
  optExpr: 15,
  literal: 16,
} as const;

/** The numbers of token types. */
export const identifierToken = 36;
export const escapedToken = 37;

export type RuleNode = ParserRuleContext;

/** Rules that add a level to the depth of an expression. */
export const levels: ReadonlySet<number> = new Set([rule.expr, rule.relation, rule.calc, rule.member]);

export function isRule(tree: ParseTree | null | undefined, index?: number): tree is RuleNode {
  const found = (tree as { ruleIndex?: number } | null | undefined)?.ruleIndex;
  return found !== undefined && (index === undefined || found === index);
}

/** Whether a token was skipped or inserted by ANTLR's error recovery. */
export function isPassedOver(tree: ParseTree): boolean {
  return tree.accept(errorNodes) === true;
}

const errorNodes: ParseTreeVisitor<boolean> = {
  visit: () => false,
  visitChildren: () => false,
  visitTerminal: () => false,
  visitErrorNode: () => true,
};

export const grammarOperators = new Set(['<', '<=', '>=', '>', '==', '!=', 'in', '+', '-', '*', '/', '%']);
