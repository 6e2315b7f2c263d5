import { createRequire } from 'node:module';
import type * as Antlr from 'antlr4ng';
import type { ParserRuleContext, Recognizer, RecognitionException, Token } from 'antlr4ng';
import grammar from '../../syntax/gen/grammar.json' with { type: 'json' };

/**
 * How deep a rule may be within itself, how often a walk goes on behind an error, how many tokens it may pass then, how
 * many errors are told.
 */
const deepest = 250;
const mostRecoveries = 30;
const mostTokensPassed = 256;
const mostErrors = 100;

export interface SyntaxError {
  /** From 1, and in code points from 0; a line of -1 is no place. */
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

export interface Walked {
  readonly errors: readonly SyntaxError[];
  /** What was understood; undefined where the walk was given up. */
  readonly tree: ParserRuleContext | undefined;
}

/** Thrown out of a walk that goes no further. `message` is told unless it was already. */
class GivenUp extends Error {}

/** Reads a text by cel-go's grammar as ANTLR does, telling what is wrong and going on behind it. */
export function walkGrammar(text: string): Walked {
  walk ??= loadWalk();
  return walk(text);
}

/** ANTLR is loaded with the first text that is no expression. */
let walk: ((text: string) => Walked) | undefined;

function loadWalk(): (text: string) => Walked {
  const antlr = createRequire(import.meta.url)('antlr4ng') as typeof Antlr;

  class Errors extends antlr.BaseErrorListener {
    readonly told: SyntaxError[] = [];

    override syntaxError(
      _recognizer: Recognizer<never>,
      _symbol: unknown,
      line: number,
      column: number,
      message: string,
    ): void {
      if (this.told.length >= mostErrors) {
        this.told.push({ line, column, message: `Syntax error: More than ${mostErrors} syntax errors` });
        throw new GivenUp();
      }
      const text = message.includes('no viable alternative')
        ? message.replace(
            /no viable alternative at input '.(true|false|null)'/g,
            "mismatched input '$1' expecting IDENTIFIER",
          )
        : message;
      this.told.push({ line, column, message: `Syntax error: ${text}` });
    }
  }

  /** ANTLR's own way to go on behind an error, within bounds. */
  class BoundedRecovery extends antlr.DefaultErrorStrategy {
    #recoveries = 0;
    #passed = 0;

    override recover(recognizer: Antlr.Parser, error: RecognitionException): void {
      this.#count(recognizer);
      this.#passed = 0;
      super.recover(recognizer, error);
    }

    override recoverInline(recognizer: Antlr.Parser): Token {
      this.#count(recognizer);
      return super.recoverInline(recognizer);
    }

    override consumeUntil(recognizer: Antlr.Parser, set: Antlr.IntervalSet): void {
      for (
        let type = recognizer.tokenStream.LA(1);
        type !== antlr.Token.EOF && !set.contains(type);
        type = recognizer.tokenStream.LA(1)
      ) {
        if (this.#passed++ >= mostTokensPassed)
          throw new GivenUp(`error recovery token lookahead limit exceeded: ${mostTokensPassed}`);
        recognizer.consume();
      }
    }

    #count(recognizer: Antlr.Parser): void {
      if (this.#recoveries++ < mostRecoveries) return;
      recognizer.notifyErrorListeners(`error recovery attempt limit exceeded: ${mostRecoveries}`, null, null);
      throw new GivenUp();
    }
  }

  /** Counts how deep each rule is within itself. */
  class Depths implements Antlr.ParseTreeListener {
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
      if (depth > deepest) throw new GivenUp(`expression recursion limit exceeded: ${deepest}`);
    }

    exitEveryRule({ ruleIndex }: ParserRuleContext): void {
      this.#depths.set(ruleIndex, Math.max(0, (this.#depths.get(ruleIndex) ?? 0) - 1));
    }
  }

  class Walk extends antlr.ParserInterpreter {
    /** An operator makes a level of what stands to its left; that is left before. */
    override pushNewRecursionContext(context: ParserRuleContext, state: number, ruleIndex: number): void {
      this.triggerExitRuleEvent();
      super.pushNewRecursionContext(context, state, ruleIndex);
    }
  }

  function load({
    literalNames,
    symbolicNames,
    atn,
  }: {
    literalNames: (string | null)[];
    symbolicNames: (string | null)[];
    atn: string;
  }) {
    return {
      vocabulary: new antlr.Vocabulary(literalNames, symbolicNames, []),
      atn: new antlr.ATNDeserializer().deserialize(atn.split(',').map(Number)),
    };
  }

  const lexerTables = load(grammar.lexer);
  const parserTables = load(grammar.parser);
  return walkText;

  function walkText(text: string): Walked {
    const errors = new Errors();
    const { ruleNames, channelNames, modeNames } = grammar.lexer;
    const lexer = new antlr.LexerInterpreter(
      'CELLexer',
      lexerTables.vocabulary,
      ruleNames,
      channelNames,
      modeNames,
      lexerTables.atn,
      antlr.CharStream.fromString(text),
    );
    lexer.removeErrorListeners();
    lexer.addErrorListener(errors);
    const walk = new Walk(
      'CEL',
      parserTables.vocabulary,
      grammar.parser.ruleNames,
      parserTables.atn,
      new antlr.CommonTokenStream(lexer),
    );
    walk.removeErrorListeners();
    walk.addErrorListener(errors);
    walk.addParseListener(new Depths());
    walk.errorHandler = new BoundedRecovery();
    try {
      return { errors: errors.told, tree: walk.parse(0) };
    } catch (error) {
      if (!(error instanceof GivenUp)) throw error;
      if (error.message !== '') errors.told.push({ line: -1, column: 0, message: error.message });
      return { errors: errors.told, tree: undefined };
    }
  }
}
