// No generator that is dropped or tested instead of run: it does nothing and is always true, and neither compiler nor
// linter says so. Long work is written as generators (shared/apimachinery/slices), so that a forgotten `yield*` or
// `atOnce` would lose a part of a write, or answer a question wrongly, in silence.
import {
  SyntaxKind,
  type ArrowFunction,
  type BinaryExpression,
  type CallExpression,
  type ConditionalExpression,
  type Expression,
  type ExpressionStatement,
  type IfStatement,
  type Node,
  type ParenthesizedExpression,
  type PrefixUnaryExpression,
  type PropertyAccessExpression,
  type VoidExpression,
} from 'typescript/unstable/ast';
import type { Checker, Type } from 'typescript/unstable/sync';
import type { Rule } from './rule.ts';
import type { TypedSource } from './typed-sources.ts';

export const unrunSteps: Rule = {
  check({ typed: { product, project } }) {
    const problems = product.flatMap((file) => unrunIn(file, project.checker));
    return { problems, summary: `${product.length} files` };
  },
};

function unrunIn({ name, source }: TypedSource, checker: Checker): string[] {
  const calls: CallExpression[] = [];
  const visit = (node: Node): void => {
    for (const expression of consumedBy(node)) {
      const call = callOf(expression);
      if (call !== undefined) calls.push(call);
    }
    node.forEachChild(visit);
  };
  visit(source);
  const types = checker.getTypeAtLocation(calls);
  return calls
    .filter((_call, at) => isGenerator(types[at]))
    .map((call) => {
      const line = source.getLineAndCharacterOfPosition(call.getStart(source)).line + 1;
      return `${name}:${line}: ${call.getText(source)}: a generator that nobody runs. Use yield*, atOnce or inSlices`;
    });
}

/** Expressions whose value a node drops, tests or compares. */
function consumedBy(node: Node): readonly Expression[] {
  switch (node.kind) {
    case SyntaxKind.ExpressionStatement:
    case SyntaxKind.IfStatement:
    case SyntaxKind.WhileStatement:
    case SyntaxKind.DoStatement:
    case SyntaxKind.VoidExpression:
      return [(node as ExpressionStatement | IfStatement | VoidExpression).expression];
    case SyntaxKind.PrefixUnaryExpression:
      return [(node as PrefixUnaryExpression).operand];
    case SyntaxKind.ConditionalExpression:
      return [(node as ConditionalExpression).condition];
    case SyntaxKind.BinaryExpression:
      return sidesOf(node as BinaryExpression);
    case SyntaxKind.CallExpression:
      return testedByCallback(node as CallExpression);
    default:
      return [];
  }
}

const comparisons: ReadonlySet<SyntaxKind> = new Set([
  SyntaxKind.EqualsEqualsEqualsToken,
  SyntaxKind.ExclamationEqualsEqualsToken,
]);
const connectives: ReadonlySet<SyntaxKind> = new Set([SyntaxKind.AmpersandAmpersandToken, SyntaxKind.BarBarToken]);

function sidesOf({ left, operatorToken, right }: BinaryExpression): readonly Expression[] {
  if (comparisons.has(operatorToken.kind)) return [left, right];
  return connectives.has(operatorToken.kind) ? [left] : [];
}

const testing: ReadonlySet<string> = new Set(['some', 'every', 'filter', 'find', 'findIndex', 'forEach']);

/** What a callback returns to `some`, `filter` and their like. */
function testedByCallback({ expression, arguments: [callback] }: CallExpression): readonly Expression[] {
  if (
    expression.kind !== SyntaxKind.PropertyAccessExpression ||
    callback?.kind !== SyntaxKind.ArrowFunction ||
    !testing.has((expression as PropertyAccessExpression).name.text)
  )
    return [];
  const { body } = callback as ArrowFunction;
  return body.kind === SyntaxKind.Block ? [] : [body];
}

function callOf(expression: Expression): CallExpression | undefined {
  if (expression.kind === SyntaxKind.ParenthesizedExpression)
    return callOf((expression as ParenthesizedExpression).expression);
  return expression.kind === SyntaxKind.CallExpression ? (expression as CallExpression) : undefined;
}

function isGenerator(type: Type | undefined): boolean {
  if (type === undefined) return false;
  if (type.isUnionType()) return type.getTypes().some(isGenerator);
  return type.isObjectType() && /^(?:Async)?Generator$/.test(type.getSymbol()?.name ?? '');
}
