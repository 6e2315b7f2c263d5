import type * as Antlr from 'antlr4ng';

/** A decision whether to enter an optional part of a grammar rule. */
export interface OptionalPart {
  readonly firstTokens: Antlr.IntervalSet;
  readonly enter: number;
  readonly leave: number;
}

/**
 * Finds the LL(1) decisions about optional and repeated parts of rules, by decision number. A parser that ANTLR
 * generates, as cel-go has one, decides these by the next token alone: it enters the part if the token can begin it,
 * and otherwise skips the part. ANTLR's interpreter makes a full prediction instead, and reports an error if neither
 * choice fits.
 */
export function optionalParts(antlr: typeof Antlr, atn: Antlr.ATN): Map<number, OptionalPart> {
  const analyzer = new antlr.LL1Analyzer(atn);
  const parts = new Map<number, OptionalPart>();
  for (const state of atn.decisionToState) {
    const way = state.transitions.findIndex(
      ({ target }) => target instanceof antlr.BlockEndState || target instanceof antlr.LoopEndState,
    );
    // With more than two alternatives the generated parser makes a full prediction, too.
    if (way < 0 || state.transitions.length !== 2) continue;
    const [first, second] = analyzer.getDecisionLookahead(state);
    if (first === undefined || second === undefined || second.toArray().some((token) => first.contains(token)))
      continue;
    parts.set(state.decision, {
      firstTokens: way === 0 ? second : first,
      enter: way === 0 ? 2 : 1,
      leave: way + 1,
    });
  }
  return parts;
}
