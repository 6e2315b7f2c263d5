// No call of a generator as a statement of its own: a generator that nobody runs does nothing, and neither compiler nor
// linter says so. Long work is written as generators (shared/apimachinery/slices), so that a forgotten `yield*` or
// `atOnce` would lose a part of a write in silence.
import {
  SyntaxKind,
  type CallExpression,
  type Expression,
  type ExpressionStatement,
  type Node,
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
    if (node.kind === SyntaxKind.ExpressionStatement) {
      const call = droppedCall((node as ExpressionStatement).expression);
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

/** The call whose result a statement drops: `f()`, or `void f()`. */
function droppedCall(expression: Expression): CallExpression | undefined {
  if (expression.kind === SyntaxKind.VoidExpression) return droppedCall((expression as VoidExpression).expression);
  return expression.kind === SyntaxKind.CallExpression ? (expression as CallExpression) : undefined;
}

function isGenerator(type: Type | undefined): boolean {
  if (type === undefined) return false;
  if (type.isUnionType()) return type.getTypes().some(isGenerator);
  return type.isObjectType() && /^(?:Async)?Generator$/.test(type.getSymbol()?.name ?? '');
}
