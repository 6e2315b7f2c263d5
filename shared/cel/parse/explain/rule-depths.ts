import type { ParserRuleContext, ParseTreeListener } from 'antlr4ng';
import { ParseAborted } from './walk-errors.ts';

/** How many calls of one grammar rule may be nested. */
const deepest = 250;

/** Counts the nested calls of each grammar rule; ends the parse if there are too many. */
export class RuleDepths implements ParseTreeListener {
  readonly #depths = new Map<number, number>();

  visitTerminal(): void {
    // Tokens have no depth.
  }

  visitErrorNode(): void {
    // Tokens have no depth.
  }

  enterEveryRule({ ruleIndex }: ParserRuleContext): void {
    const depth = (this.#depths.get(ruleIndex) ?? 0) + 1;
    this.#depths.set(ruleIndex, depth);
    if (depth > deepest) throw new ParseAborted(`expression recursion limit exceeded: ${deepest}`);
  }

  exitEveryRule({ ruleIndex }: ParserRuleContext): void {
    this.#depths.set(ruleIndex, Math.max(0, (this.#depths.get(ruleIndex) ?? 0) - 1));
  }
}
