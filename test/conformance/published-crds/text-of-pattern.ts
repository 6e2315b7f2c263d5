/**
 * The shortest text that a pattern asks for, as far as this little reader understands it: literals, classes, groups,
 * alternatives (the first), repetitions (the fewest, but one where none would do). Anchors and boundaries are nothing.
 */
export function textOfPattern(pattern: string): string {
  return new Reader(pattern).alternatives();
}

class Reader {
  readonly #pattern: string;
  #at = 0;

  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  alternatives(): string {
    const first = this.#sequence();
    while (this.#take('|')) this.#sequence();
    return first;
  }

  #sequence(): string {
    let text = '';
    while (this.#at < this.#pattern.length && !'|)'.includes(this.#peek())) text += this.#repeated();
    return text;
  }

  #repeated(): string {
    const one = this.#atom();
    const least = this.#least();
    return one.repeat(least);
  }

  #least(): number {
    const counted = /^\{(\d+)(,\d*)?\}/.exec(this.#pattern.slice(this.#at));
    let least = 1;
    if (counted !== null) {
      this.#at += counted[0].length;
      least = Number(counted[1]);
    } else if (this.#take('*') || this.#take('?')) least = 0;
    else if (!this.#take('+')) return 1;
    this.#take('?');
    return least;
  }

  #atom(): string {
    const char = this.#next();
    switch (char) {
      case '^':
      case '$':
        return '';
      case '.':
        return 'a';
      case '(':
        return this.#group();
      case '[':
        return this.#class();
      case '\\':
        return this.#escaped();
      default:
        return char;
    }
  }

  #group(): string {
    const flags = /^\?(P?<\w+>|[a-zA-Z-]*:|[a-zA-Z-]+(?=\)))/.exec(this.#pattern.slice(this.#at));
    if (flags !== null) this.#at += flags[0].length;
    const text = this.alternatives();
    this.#take(')');
    return text;
  }

  #escaped(): string {
    const char = this.#next();
    if (char === 'd') return '1';
    if (char === 'w' || char === 'S' || char === 'D') return 'a';
    if (char === 's') return ' ';
    return char === 'b' || char === 'A' || char === 'z' ? '' : char;
  }

  /** The first character of a class; of one that excludes, the first letter that it does not exclude. */
  #class(): string {
    const excludes = this.#take('^');
    const start = this.#at;
    if (this.#peek() === ']') this.#at++;
    while (this.#peek() !== ']' || this.#pattern[this.#at - 1] === '\\') this.#at++;
    const inside = this.#pattern.slice(start, this.#at++);
    if (excludes) return ['a', '1', ' ', '-'].find((char) => !new RegExp(`[${inside}]`).test(char)) ?? 'a';
    return (
      ['a', '1', 'A'].find((char) => new RegExp(`[${inside}]`).test(char)) ??
      (inside.startsWith('\\') ? inside.slice(1, 2) : inside.slice(0, 1))
    );
  }

  #peek(): string {
    return this.#pattern[this.#at] ?? '';
  }

  #next(): string {
    return this.#pattern[this.#at++] ?? '';
  }

  #take(char: string): boolean {
    if (this.#peek() !== char) return false;
    this.#at++;
    return true;
  }
}
