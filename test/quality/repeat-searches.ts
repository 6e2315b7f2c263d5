// No `list.indexOf(item) < index` to tell whether an item stands before in its list: over a list that a client chose
// this takes the square of its length.
import {
  SyntaxKind,
  type BinaryExpression,
  type CallExpression,
  type Expression,
  type Node,
  type PropertyAccessExpression,
} from 'typescript/unstable/ast';
import type { Rule } from './rule.ts';
import type { TypedSource } from './typed-sources.ts';

const comparisons: ReadonlySet<SyntaxKind> = new Set([
  SyntaxKind.LessThanToken,
  SyntaxKind.GreaterThanToken,
  SyntaxKind.EqualsEqualsEqualsToken,
  SyntaxKind.ExclamationEqualsEqualsToken,
]);
const searches: ReadonlySet<string> = new Set(['indexOf', 'lastIndexOf', 'findIndex', 'findLastIndex']);

export const repeatSearches: Rule = {
  check({ typed: { product } }) {
    return { problems: product.flatMap(searchesOf), summary: `${product.length} files` };
  },
};

function searchesOf({ name, source }: TypedSource): string[] {
  const found: string[] = [];
  const visit = (node: Node): void => {
    if (isComparedSearch(node)) {
      const line = source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
      found.push(`${name}:${line}: ${node.getText(source)}: a search for each item. Use repetitions or a Set`);
    }
    node.forEachChild(visit);
  };
  visit(source);
  return found;
}

/** A comparison of the place of an item, as a search finds it, with the name of another place. */
function isComparedSearch(node: Node): boolean {
  if (node.kind !== SyntaxKind.BinaryExpression) return false;
  const { left, operatorToken, right } = node as BinaryExpression;
  if (!comparisons.has(operatorToken.kind)) return false;
  return (
    (isSearch(left) && right.kind === SyntaxKind.Identifier) || (isSearch(right) && left.kind === SyntaxKind.Identifier)
  );
}

function isSearch(node: Expression): boolean {
  if (node.kind !== SyntaxKind.CallExpression) return false;
  const { expression } = node as CallExpression;
  return (
    expression.kind === SyntaxKind.PropertyAccessExpression &&
    searches.has((expression as PropertyAccessExpression).name.text)
  );
}
