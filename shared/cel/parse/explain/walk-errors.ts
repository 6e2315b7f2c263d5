import type { ANTLRErrorListener } from 'antlr4ng';

const maxSyntaxErrors = 100;

export interface SyntaxError {
  /** Lines count from 1, columns count code points from 0; a line of -1 means that there is no position. */
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** Thrown to end a parse before the end of its text. The message is reported, unless it is empty. */
export class ParseAborted extends Error {}

/** Collects the syntax errors of lexer and parser, worded as in cel-go. */
export class WalkErrors implements ANTLRErrorListener {
  readonly found: SyntaxError[] = [];

  syntaxError(_recognizer: unknown, _symbol: unknown, line: number, column: number, message: string): void {
    if (this.found.length >= maxSyntaxErrors) {
      this.found.push({ line, column, message: `Syntax error: More than ${maxSyntaxErrors} syntax errors` });
      throw new ParseAborted();
    }
    const text = message.includes('no viable alternative')
      ? message.replace(
          /no viable alternative at input '.(true|false|null)'/g,
          "mismatched input '$1' expecting IDENTIFIER",
        )
      : message;
    this.found.push({ line, column, message: `Syntax error: ${text}` });
  }

  reportAmbiguity(): void {
    // This event concerns the grammar; it is no error in the expression.
  }

  reportAttemptingFullContext(): void {
    // This event concerns the grammar; it is no error in the expression.
  }

  reportContextSensitivity(): void {
    // This event concerns the grammar; it is no error in the expression.
  }
}
