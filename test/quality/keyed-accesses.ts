import {
  SyntaxKind,
  type AsExpression,
  type BinaryExpression,
  type ElementAccessExpression,
  type Expression,
  type Node,
  type ParenthesizedExpression,
  type SourceFile,
} from 'typescript/unstable/ast';
import { TypeFlags, type Checker, type Type } from 'typescript/unstable/sync';
import { isOwnKey } from './own-keys.ts';

export interface KeyedAccess {
  readonly line: number;
  readonly text: string;
}

type Access = ElementAccessExpression | BinaryExpression;

/** Members by a key that can be any string: read, written, or asked for with `in`. */
export function findKeyedAccesses(source: SourceFile, checker: Checker): KeyedAccess[] {
  const accesses: Access[] = [];
  const visit = (node: Node): void => {
    if (node.kind === SyntaxKind.ElementAccessExpression || isInExpression(node)) accesses.push(node as Access);
    node.forEachChild(visit);
  };
  visit(source);
  const keys = checker.getTypeAtLocation(accesses.map(keyOf));
  const suspects = accesses.filter((_access, at) => isAnyString(keys[at], checker));
  const objects = checker.getTypeAtLocation(suspects.map(objectOf));
  return suspects
    .filter(
      (access, at) =>
        isPlainObject(objects[at]) && (isInExpression(access) || !isOwnKey(access as ElementAccessExpression, source)),
    )
    .map((access) => ({
      line: source.getLineAndCharacterOfPosition(access.getStart(source)).line + 1,
      text: access.getText(source),
    }));
}

function isInExpression(node: Node): boolean {
  return (
    node.kind === SyntaxKind.BinaryExpression && (node as BinaryExpression).operatorToken.kind === SyntaxKind.InKeyword
  );
}

function keyOf(access: Access): Expression {
  let key = access.kind === SyntaxKind.BinaryExpression ? access.left : access.argumentExpression;
  // A cast claims what nobody has looked at.
  while (key.kind === SyntaxKind.AsExpression || key.kind === SyntaxKind.ParenthesizedExpression)
    key = (key as AsExpression | ParenthesizedExpression).expression;
  return key;
}

function objectOf(access: Access): Expression {
  return access.kind === SyntaxKind.BinaryExpression ? access.right : access.expression;
}

/** A key that is not one of a fixed set: any string, a template of one, or of a type that may be one. */
function isAnyString(type: Type | undefined, checker: Checker): boolean {
  if (type === undefined) return true;
  if (
    (type.flags &
      (TypeFlags.String | TypeFlags.TemplateLiteral | TypeFlags.StringMapping | TypeFlags.Any | TypeFlags.Unknown)) !==
    0
  )
    return true;
  if (type.isUnionType()) return type.getTypes().some((part) => isAnyString(part, checker));
  if (type.isIntersectionType()) return type.getTypes().some((part) => isAnyString(part, checker));
  if ((type.flags & TypeFlags.TypeParameter) !== 0) {
    const constraint = checker.getBaseConstraintOfType(type);
    return constraint === undefined || isAnyString(constraint, checker);
  }
  return false;
}

/** Whatever inherits from Object.prototype and takes strings as keys; lists and text take only numbers. */
function isPlainObject(type: Type | undefined): boolean {
  if (type === undefined) return true;
  if (type.isUnionType()) return type.getTypes().some((part) => isPlainObject(part));
  return (type.flags & (TypeFlags.Undefined | TypeFlags.Null)) === 0;
}
