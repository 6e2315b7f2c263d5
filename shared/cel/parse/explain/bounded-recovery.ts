import type * as Antlr from 'antlr4ng';
import { ParseAborted } from './walk-errors.ts';

const maxRecoveries = 30;
/** How many tokens one recovery may skip. */
const maxSkipped = 256;

/**
 * ANTLR's default error strategy, except that it ends the parse after too many recoveries, or when one recovery skips
 * too many tokens.
 */
export function boundedRecovery(antlr: typeof Antlr): Antlr.DefaultErrorStrategy {
  return new (class extends antlr.DefaultErrorStrategy {
    #recoveries = 0;
    #skipped = 0;

    override recover(recognizer: Antlr.Parser, error: Antlr.RecognitionException): void {
      this.#count(recognizer);
      this.#skipped = 0;
      super.recover(recognizer, error);
    }

    override recoverInline(recognizer: Antlr.Parser): Antlr.Token {
      this.#count(recognizer);
      return super.recoverInline(recognizer);
    }

    override consumeUntil(recognizer: Antlr.Parser, set: Antlr.IntervalSet): void {
      for (
        let type = recognizer.tokenStream.LA(1);
        type !== antlr.Token.EOF && !set.contains(type);
        type = recognizer.tokenStream.LA(1)
      ) {
        if (this.#skipped++ >= maxSkipped)
          throw new ParseAborted(`error recovery token lookahead limit exceeded: ${maxSkipped}`);
        recognizer.consume();
      }
    }

    #count(recognizer: Antlr.Parser): void {
      if (this.#recoveries++ < maxRecoveries) return;
      recognizer.notifyErrorListeners(`error recovery attempt limit exceeded: ${maxRecoveries}`, null, null);
      throw new ParseAborted();
    }
  })();
}
