import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import type { Expression } from '#shared/cel/syntax/expression.ts';
import type { Issue } from '#shared/cel/syntax/issue.ts';
import { ExpressionTooLarge } from '#shared/cel/syntax/make-expressions.ts';
import { ExpressionRejected, ExpressionTooDeep } from '#shared/cel/syntax/parse-refusals.ts';
import { Parser } from '#shared/cel/syntax/parser.ts';
import type { Syntax } from '#shared/cel/syntax/syntax.ts';
import { tokenize } from '#shared/cel/syntax/tokens.ts';
import { explain } from './explain/explain.ts';

/** The longest expression, in code points. */
const longest = 100_000;

export interface Parsed {
  readonly expression: Expression;
  /** Where each expression is in the text, by id, in UTF-16 units. */
  readonly offsets: readonly number[];
}

/** Parses an expression; returns its syntax errors if there are any. */
export function* parse(text: string, syntax: Syntax): Steps<Parsed | { readonly issues: readonly Issue[] }> {
  const size = text.length <= longest ? 0 : codePoints(text);
  if (size > longest)
    return {
      issues: [{ offset: -1, message: `expression code point size exceeds limit: size: ${size}, limit ${longest}` }],
    };
  const tokens = yield* tokenize(text);
  if (tokens === undefined) return { issues: yield* explain(text, syntax) };
  const parser = new Parser(text, tokens, syntax.macros, syntax.optionals);
  try {
    const expression = yield* parser.parse();
    if (parser.issues.length > 0) return { issues: parser.issues };
    return { expression, offsets: parser.ids.offsets };
  } catch (error) {
    if (error instanceof ExpressionTooDeep || error instanceof ExpressionTooLarge)
      return { issues: [...parser.issues, { offset: -1, message: error.message }] };
    if (error instanceof ExpressionRejected) return { issues: yield* explain(text, syntax) };
    throw error;
  }
}

function codePoints(text: string): number {
  let count = text.length;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code >= 0xd800 && code < 0xdc00 && (text.codePointAt(at) ?? 0) > 0xffff) {
      count--;
      at++;
    }
  }
  return count;
}
