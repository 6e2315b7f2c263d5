import type { Issue } from '../../syntax/issue.ts';
import { TooLarge } from '../../syntax/make-expressions.ts';
import type { Syntax } from '../../syntax/syntax.ts';
import { TooDeep } from '../../syntax/parse-refusals.ts';
import { walkGrammar } from './grammar-walk.ts';
import { TreeVisitor } from './tree-visitor.ts';

/**
 * Finds the syntax errors of a text, with cel-go's messages. Its parser is made by ANTLR and continues after errors.
 */
export function explainSyntax(text: string, syntax: Syntax): Issue[] {
  const { errors, tree } = walkGrammar(text);
  const offsetOf = offsets(text);
  const issues: Issue[] = errors.map(({ line, column, message }) => ({
    offset: line < 0 ? -1 : offsetOf(line, column),
    message,
  }));
  if (tree === undefined) return issues;
  const visitor = new TreeVisitor(syntax.macros, syntax.optionals, offsetOf);
  try {
    visitor.visit(tree);
  } catch (error) {
    if (!(error instanceof TooDeep || error instanceof TooLarge)) throw error;
    return [...issues, ...visitor.issues, { offset: -1, message: error.message }];
  }
  return [...issues, ...visitor.issues];
}

/** Converts a line and a column, which count code points, to an offset in the text in UTF-16 units. */
function offsets(text: string): (line: number, column: number) => number {
  /** Where each code point begins. */
  const points: number[] = [];
  /** The first code point of each line. */
  const lines = [0];
  for (let at = 0; at < text.length; at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1) {
    points.push(at);
    if (text.charCodeAt(at) === 0x0a) lines.push(points.length);
  }
  return (line, column) => points[(lines[line - 1] ?? points.length) + column] ?? text.length;
}
