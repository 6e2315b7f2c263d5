import {
  SyntaxKind,
  type BinaryExpression,
  type CallExpression,
  type ConditionalExpression,
  type ElementAccessExpression,
  type ForInStatement,
  type ForOfStatement,
  type IfStatement,
  type Node,
  type PropertyAccessExpression,
  type SourceFile,
  type VariableDeclarationList,
} from 'typescript/unstable/ast';

/**
 * True where the code around shows that the key is the object's own: it runs over the object's own keys, or
 * `Object.hasOwn` was asked before. Compared is the text of both, so an object under another name does not count.
 */
export function isOwnKey(access: ElementAccessExpression, source: SourceFile): boolean {
  const object = access.expression.getText(source).replaceAll(/[?!]/g, '');
  const key = access.argumentExpression?.getText(source) ?? '';
  const written = isWritten(access);
  // Only an own key can be deleted.
  if (access.parent.kind === SyntaxKind.DeleteExpression) return true;
  for (
    let node: Node = access, parent = node.parent;
    parent !== undefined && parent.kind !== SyntaxKind.SourceFile;
    node = parent, parent = node.parent
  ) {
    if (runsOverKeys(parent, node, object, key, source)) return true;
    // An assignment of a list or an object to `__proto__` makes no key; all others do.
    const condition = written ? `${key} !== '__proto__'` : `Object.hasOwn(${object}, ${key})`;
    if (isAskedBefore(parent, node, condition, source)) return true;
  }
  return false;
}

/** Assignment makes a key; `__proto__` would be none. */
function isWritten(access: ElementAccessExpression): boolean {
  const { parent } = access;
  if (parent.kind !== SyntaxKind.BinaryExpression || (parent as BinaryExpression).left !== access) return false;
  const operator = (parent as BinaryExpression).operatorToken.kind;
  return operator >= SyntaxKind.FirstAssignment && operator <= SyntaxKind.LastAssignment;
}

/** A loop over the keys of the object, or a function that one of its list methods calls for each. */
function runsOverKeys(parent: Node, node: Node, object: string, key: string, source: SourceFile): boolean {
  if (parent.kind === SyntaxKind.ForInStatement) {
    const { initializer, expression } = parent as ForInStatement;
    return nameOf(initializer, source) === key && expression.getText(source) === object;
  }
  if (parent.kind === SyntaxKind.ForOfStatement) {
    const { initializer, expression } = parent as ForOfStatement;
    return nameOf(initializer, source) === key && isKeysOf(expression.getText(source), object);
  }
  if (parent.kind !== SyntaxKind.CallExpression) return false;
  const call = parent as CallExpression;
  if (call.expression.kind !== SyntaxKind.PropertyAccessExpression || call.arguments[0] !== node) return false;
  const parameter = /^\(?(?:\[(\w+)(?:, \w+)?\]|(\w+)[^)]*)\)?(?:: [\w ]+)? => /.exec(node.getText(source));
  return (
    (parameter?.[1] ?? parameter?.[2]) === key &&
    isKeysOf((call.expression as PropertyAccessExpression).expression.getText(source), object)
  );
}

/** `key` of `const key`, and of `const [key, value]`. */
function nameOf(initializer: Node, source: SourceFile): string {
  const name = (initializer as VariableDeclarationList).declarations?.[0]?.name.getText(source) ?? '';
  return /^\[(\w+)[,\]]/.exec(name)?.[1] ?? name;
}

/** `Object.keys(object)` or `Object.entries(object)`, also sorted or filtered, on a line or several. */
function isKeysOf(text: string, object: string): boolean {
  const chain = text.replaceAll(/\s+(?=\.)/g, '');
  return ['keys', 'entries'].some(
    (list) => chain === `Object.${list}(${object})` || chain.startsWith(`Object.${list}(${object}).`),
  );
}

/**
 * `condition ? node : …`, `condition && node`, `if (condition) node`, and an early end where the condition is false.
 */
function isAskedBefore(parent: Node, node: Node, condition: string, source: SourceFile): boolean {
  const holds = (test: Node): boolean => conjuncts(test).some((part) => part.getText(source) === condition);
  const opposite = condition.includes(' !== ') ? condition.replace(' !== ', ' === ') : `!${condition}`;
  const fails = (test: Node): boolean => alternatives(test).some((part) => part.getText(source) === opposite);
  if (parent.kind === SyntaxKind.ConditionalExpression) {
    const { condition: test, whenTrue, whenFalse } = parent as ConditionalExpression;
    return (whenTrue === node && holds(test)) || (whenFalse === node && fails(test));
  }
  if (parent.kind === SyntaxKind.BinaryExpression) {
    const { left, operatorToken, right } = parent as BinaryExpression;
    return (
      right === node &&
      ((operatorToken.kind === SyntaxKind.AmpersandAmpersandToken && holds(left)) ||
        (operatorToken.kind === SyntaxKind.BarBarToken && fails(left)))
    );
  }
  if (parent.kind === SyntaxKind.IfStatement) {
    const { expression, thenStatement, elseStatement } = parent as IfStatement;
    return (thenStatement === node && holds(expression)) || (elseStatement === node && fails(expression));
  }
  if (parent.kind !== SyntaxKind.Block) return false;
  const before: Node[] = [];
  parent.forEachChild((child) => void (child.pos < node.pos && before.push(child)));
  return before.some(
    (statement) =>
      statement.kind === SyntaxKind.IfStatement &&
      fails((statement as IfStatement).expression) &&
      /^\{?\s*(?:return|continue|throw)\b/.test((statement as IfStatement).thenStatement.getText(source)),
  );
}

function conjuncts(test: Node): Node[] {
  return parts(test, SyntaxKind.AmpersandAmpersandToken);
}

function alternatives(test: Node): Node[] {
  return parts(test, SyntaxKind.BarBarToken);
}

function parts(test: Node, operator: SyntaxKind): Node[] {
  if (test.kind !== SyntaxKind.BinaryExpression || (test as BinaryExpression).operatorToken.kind !== operator)
    return [test];
  return [...parts((test as BinaryExpression).left, operator), ...parts((test as BinaryExpression).right, operator)];
}
