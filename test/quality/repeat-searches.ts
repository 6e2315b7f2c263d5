// No `list.indexOf(item) < index` to tell whether an item stands before in its list: over a list that a client chose
// this takes the square of its length. Run by `npm run check`.
//   repeat-searches.ts [tsconfig.json [folder …]]
import {
  SyntaxKind,
  type BinaryExpression,
  type CallExpression,
  type Expression,
  type Node,
  type PropertyAccessExpression,
} from 'typescript/unstable/ast';
import { visitProduct } from './typed-sources.ts';

const comparisons: ReadonlySet<SyntaxKind> = new Set([
  SyntaxKind.LessThanToken,
  SyntaxKind.GreaterThanToken,
  SyntaxKind.EqualsEqualsEqualsToken,
  SyntaxKind.ExclamationEqualsEqualsToken,
]);
const searches: ReadonlySet<string> = new Set(['indexOf', 'lastIndexOf', 'findIndex', 'findLastIndex']);

let found = 0;
const count = visitProduct(process.argv.slice(2), ({ name, source }) => {
  const visit = (node: Node): void => {
    if (isComparedSearch(node)) {
      found++;
      const line = source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
      console.error(`${name}:${line}: ${node.getText(source)}: a search for each item. Use repetitions or a Set`);
    }
    node.forEachChild(visit);
  };
  visit(source);
});
console.log(`repeat searches: ${count} files, ${found} searches for each item`);
process.exitCode = found > 0 ? 1 : 0;

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
