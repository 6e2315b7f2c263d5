import type { Issue } from '../issue.ts';
import type { Syntax } from '../parse.ts';
import { walkGrammar } from './grammar-walk.ts';
import { TreeVisitor } from './tree-visitor.ts';

/** What is wrong with a text that is no expression, in cel-go's words: its parser is ANTLR's, and goes on behind errors. */
export function explainSyntax(text: string, syntax: Syntax): Issue[] {
  const { errors, tree } = walkGrammar(text);
  const offsetOf = offsets(text);
  const issues: Issue[] = errors.map(({ line, column, message }) => ({ offset: line < 0 ? -1 : offsetOf(line, column), message }));
  if (tree === undefined) return issues;
  const visitor = new TreeVisitor(syntax.macros, syntax.optionals, offsetOf);
  visitor.visit(tree);
  return [...issues, ...visitor.issues];
}

/** From lines and columns in code points to UTF-16 units of the text. */
function offsets(text: string): (line: number, column: number) => number {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (line, column) => {
    let at = starts[line - 1] ?? text.length;
    for (let left = column; left > 0 && at < text.length; left--) at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
    return at;
  };
}
