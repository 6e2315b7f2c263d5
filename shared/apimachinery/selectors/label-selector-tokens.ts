type TokenKind = 'end' | ')' | ',' | '!' | '==' | '=' | '>' | 'identifier' | 'in' | '<' | '!=' | 'notin' | '(';

export interface Token {
  readonly kind: TokenKind;
  readonly literal: string;
}

const KEYWORDS: ReadonlyMap<string, TokenKind> = new Map(
  ([')', ',', '!', '==', '=', '>', 'in', '<', '!=', 'notin', '('] as const).map((kind) => [kind, kind]),
);

const SYMBOL_CHARACTERS = new Set('=!(),><');
const WHITESPACE = new Set(' \t\r\n');

const endToken: Token = { kind: 'end', literal: '' };

/** Splits a selector into tokens, one a call. A NUL ends the token that is being read, as in the reference. */
export class Tokenizer {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  next(): Token {
    const text = this.#text;
    while (this.#at < text.length && WHITESPACE.has(text.charAt(this.#at))) this.#at++;
    const char = text.charAt(this.#at);
    if (char === '' || char === '\0') return endToken;
    const token = SYMBOL_CHARACTERS.has(char) ? scanSymbol(text, this.#at) : this.#word();
    this.#at += token.literal.length;
    if (text.charAt(this.#at) === '\0') this.#at++;
    return token;
  }

  #word(): Token {
    const text = this.#text;
    let end = this.#at;
    for (let char = text.charAt(end); char !== '' && !endsWord(char); char = text.charAt(++end));
    const literal = text.slice(this.#at, end);
    return { kind: KEYWORDS.get(literal) ?? 'identifier', literal };
  }
}

function endsWord(char: string): boolean {
  return char === '\0' || SYMBOL_CHARACTERS.has(char) || WHITESPACE.has(char);
}

/** The longest symbol: two characters if they form one, otherwise the one character, which is always a symbol. */
function scanSymbol(text: string, at: number): Token {
  const two = text.slice(at, at + 2);
  const literal = KEYWORDS.has(two) ? two : text.charAt(at);
  return { kind: KEYWORDS.get(literal) ?? 'end', literal };
}
