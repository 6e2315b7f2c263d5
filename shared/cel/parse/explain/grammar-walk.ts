import { createRequire } from 'node:module';
import type * as Antlr from 'antlr4ng';
import type { ParserRuleContext } from 'antlr4ng';
import grammar from '#shared/cel/syntax/gen/grammar.json' with { type: 'json' };
import { boundedRecovery } from './bounded-recovery.ts';
import { optionalParts } from './generated-decisions.ts';
import { RuleDepths } from './rule-depths.ts';
import { ParseAborted, WalkErrors, type SyntaxError } from './walk-errors.ts';

export interface Walked {
  readonly errors: readonly SyntaxError[];
  /** The parse tree; undefined if parsing was given up. */
  readonly tree: ParserRuleContext | undefined;
}

/** Parses a text with ANTLR and cel-go's grammar. Collects errors and continues after each. */
export function walkGrammar(text: string): Walked {
  walk ??= loadWalk();
  return walk(text);
}

/** Loaded, together with ANTLR, when the first invalid expression is parsed. */
let walk: ((text: string) => Walked) | undefined;

function loadWalk(): (text: string) => Walked {
  const antlr = createRequire(import.meta.url)('antlr4ng') as typeof Antlr;
  const newLexer = lexers(antlr);
  const newParser = parsers(antlr);
  return (text) => {
    const errors = new WalkErrors();
    const lexer = newLexer(text);
    const parser = newParser(new antlr.CommonTokenStream(lexer));
    for (const recognizer of [lexer, parser]) {
      recognizer.removeErrorListeners();
      recognizer.addErrorListener(errors);
    }
    parser.addParseListener(new RuleDepths());
    parser.errorHandler = boundedRecovery(antlr);
    try {
      return { errors: errors.found, tree: parser.parse(0) };
    } catch (error) {
      if (!(error instanceof ParseAborted)) throw error;
      if (error.message !== '') errors.found.push({ line: -1, column: 0, message: error.message });
      return { errors: errors.found, tree: undefined };
    }
  };
}

function lexers(antlr: typeof Antlr): (text: string) => Antlr.Lexer {
  const { ruleNames, channelNames, modeNames } = grammar.lexer;
  const { vocabulary, atn } = tables(antlr, grammar.lexer);
  return (text) =>
    new antlr.LexerInterpreter(
      'CELLexer',
      vocabulary,
      ruleNames,
      channelNames,
      modeNames,
      atn,
      antlr.CharStream.fromString(text),
    );
}

function parsers(antlr: typeof Antlr): (tokens: Antlr.TokenStream) => Antlr.ParserInterpreter {
  const { vocabulary, atn } = tables(antlr, grammar.parser);
  const parts = optionalParts(antlr, atn);

  class Parser extends antlr.ParserInterpreter {
    /** An operator wraps the expression on its left in a new level; the depth count leaves the old level first. */
    override pushNewRecursionContext(context: ParserRuleContext, state: number, ruleIndex: number): void {
      this.triggerExitRuleEvent();
      super.pushNewRecursionContext(context, state, ruleIndex);
    }

    protected override visitDecisionState(state: Antlr.DecisionState): number {
      const part = parts.get(state.decision);
      if (part === undefined) return super.visitDecisionState(state);
      this.errorHandler.sync(this);
      return part.firstTokens.contains(this.inputStream.LA(1)) ? part.enter : part.leave;
    }
  }

  return (tokens) => new Parser('CEL', vocabulary, grammar.parser.ruleNames, atn, tokens);
}

function tables(
  antlr: typeof Antlr,
  { literalNames, symbolicNames, atn }: Record<'literalNames' | 'symbolicNames', (string | null)[]> & { atn: string },
): { readonly vocabulary: Antlr.Vocabulary; readonly atn: Antlr.ATN } {
  return {
    vocabulary: new antlr.Vocabulary(literalNames, symbolicNames, []),
    atn: new antlr.ATNDeserializer().deserialize(atn.split(',').map(Number)),
  };
}
