import { isIP } from 'node:net';

// The characters of an atom: all printable ones, including those beyond ASCII, except the delimiters of addresses.
const atom = String.raw`[^\u0000-\u0020\u007f()<>[\]:;@\\,".]+`;
const dotAtom = new RegExp(String.raw`${atom}(?:\.${atom})*`, 'uy');
const word = new RegExp(String.raw`(?:${atom}|\.)+`, 'uy');
// oxlint-disable-next-line no-control-regex -- the control characters are excluded here
const quoted = /"((?:[^\u0000-\u0008\u000a-\u001f\u007f"\\]|\\[^\u0000-\u0008\u000a-\u001f\u007f])*)"/uy;
const literal = /\[([^\u0020[\]\\]*)\]/uy;
const space = /[ \t]*/y;

/** Whether a text is one address for Go's net/mail (RFC 5322): `a@b.c`, `A <a@b.c>`, `a@b.c (A)`, a group of one. */
export function isEmail(text: string): boolean {
  const reader = new AddressReader(text);
  return reader.address(true) === 1 && reader.skipComments() && reader.isAtEnd();
}

class AddressReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  isAtEnd(): boolean {
    return this.#at === this.#text.length;
  }

  /** Reads an address, or a group if `orGroup`. Returns the number of addresses; undefined if there is no address. */
  address(orGroup: boolean): number | undefined {
    this.#take(space);
    if (this.#plain()) {
      this.#take(space);
      return !this.#sees('(') || this.#comment() ? 1 : undefined;
    }
    if (!this.#sees('<') && !this.#phrase()) return undefined;
    this.#take(space);
    if (orGroup && this.#sign(':')) return this.#group();
    return this.#sign('<') && this.#plain() && this.#sign('>') ? 1 : undefined;
  }

  /** Skips spaces and comments; returns false if a comment is not closed. */
  skipComments(): boolean {
    for (;;) {
      this.#take(space);
      if (!this.#sees('(')) return true;
      if (!this.#comment()) return false;
    }
  }

  #plain(): boolean {
    const start = this.#at;
    this.#take(space);
    const hasName = this.#sees('"') ? Boolean(this.#take(quoted)?.[1]) : this.#take(dotAtom) !== undefined;
    if (hasName && this.#sign('@')) {
      this.#take(space);
      if (this.#sees('[') ? isIP(this.#take(literal)?.[1] ?? '') !== 0 : this.#take(dotAtom) !== undefined) return true;
    }
    this.#at = start;
    return false;
  }

  #phrase(): boolean {
    let words = 0;
    for (;;) {
      if (words > 0 && !this.skipComments()) return false;
      this.#take(space);
      if (this.#take(this.#sees('"') ? quoted : word) === undefined) return words > 0;
      words++;
    }
  }

  #group(): number | undefined {
    this.#take(space);
    if (this.#sign(';')) return this.skipComments() ? 0 : undefined;
    for (let count = 1; ; count++) {
      this.#take(space);
      if (this.address(false) === undefined || !this.skipComments()) return undefined;
      if (this.#sign(';')) return this.skipComments() ? count : undefined;
      if (!this.#sign(',')) return undefined;
    }
  }

  #comment(): boolean {
    let depth = 0;
    for (; this.#at < this.#text.length; this.#at++) {
      const char = this.#text[this.#at];
      if (char === '\\') this.#at++;
      else if (char === '(') depth++;
      else if (char === ')' && --depth === 0) {
        this.#at++;
        return true;
      }
    }
    return false;
  }

  #sees(sign: string): boolean {
    return this.#text[this.#at] === sign;
  }

  #sign(sign: string): boolean {
    if (!this.#sees(sign)) return false;
    this.#at++;
    return true;
  }

  #take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (found === null) return undefined;
    this.#at += found[0].length;
    return found;
  }
}
