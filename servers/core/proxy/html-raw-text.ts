/** Content in which `<` begins no markup: of some elements, of comments, of declarations. */
export interface RawText {
  /**
   * Looks for its end from `at` on. `end`: markup goes on there. Without, all before `passed` belongs to it, and the
   * rest is looked at again when more has come.
   */
  find(text: string, at: number): { readonly end?: number; readonly passed: number };
}

/** No end of such content is longer. */
const longestEnd = 16;

/** A comment or a declaration, from behind its `<!`. */
export function declaration(isComment: boolean): RawText {
  return endsBehind(isComment ? /--!?>/g : />/g);
}

/** The content of an element whose start tag was read; undefined where that is markup. */
export function contentOf(element: string): RawText | undefined {
  if (element === 'script') return new ScriptText();
  if (element === 'plaintext') return { find: (text) => ({ passed: text.length }) };
  return rawElements.has(element) ? endsAtTag(element) : undefined;
}

const rawElements: ReadonlySet<string> = new Set([
  'iframe',
  'noembed',
  'noframes',
  'noscript',
  'style',
  'textarea',
  'title',
  'xmp',
]);

function endsBehind(pattern: RegExp): RawText {
  return {
    find(text, at) {
      pattern.lastIndex = at;
      return pattern.test(text)
        ? { end: pattern.lastIndex, passed: pattern.lastIndex }
        : { passed: Math.max(at, text.length - longestEnd) };
    },
  };
}

function endsAtTag(element: string): RawText {
  const pattern = new RegExp(`</${element}(?=[ \\n\\r\\t\\f/>])`, 'gi');
  return {
    find(text, at) {
      pattern.lastIndex = at;
      const found = pattern.exec(text);
      return found === null
        ? { passed: Math.max(at, text.length - longestEnd) }
        : { end: found.index, passed: found.index };
    },
  };
}

/** A script may hold comments, and in these whole script elements, whose end tags are not its own. */
class ScriptText implements RawText {
  #within: 'script' | 'comment' | 'script in comment' = 'script';

  find(text: string, at: number): { end?: number; passed: number } {
    const marks = /<!--|-->|<\/?script(?=[ \n\r\t\f/>])/gi;
    marks.lastIndex = at;
    let passed = at;
    for (let found = marks.exec(text); found !== null; found = marks.exec(text)) {
      const mark = found[0].toLowerCase();
      if (mark === '</script' && this.#within !== 'script in comment') return { end: found.index, passed: found.index };
      passed = marks.lastIndex;
      if (mark === '-->') this.#within = 'script';
      else if (mark === '</script') this.#within = 'comment';
      else if (mark === '<script' && this.#within === 'comment') this.#within = 'script in comment';
      else if (mark === '<!--' && this.#within === 'script') {
        this.#within = 'comment';
        // `<!-->` begins a comment and ends it.
        marks.lastIndex = passed = found.index + 2;
      }
    }
    return { passed: Math.max(passed, text.length - longestEnd) };
  }
}
