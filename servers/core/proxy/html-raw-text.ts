/** Content in which `<` does not start markup: that of some elements, comments and declarations. */
export interface RawText {
  /**
   * Searches for the end of the content from `at` on. Markup continues at `end`. Without `end`, the text before
   * `passed` belongs to the content, and the rest is searched again when more text has arrived.
   */
  find(text: string, at: number): { readonly end?: number; readonly passed: number };
}

/** The maximum length of a mark that ends such content. */
const longestEnd = 16;

/** The content of a comment or a declaration, after its `<!`. */
export function declaration(isComment: boolean): RawText {
  return endsBehind(isComment ? /--!?>/g : />/g);
}

/** The content of an element whose start tag was read; undefined if the content is markup. */
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

/** The content of a script. It may have comments with script elements in them, whose end tags do not end the script. */
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
        // `<!-->` starts and ends a comment.
        marks.lastIndex = passed = found.index + 2;
      }
    }
    return { passed: Math.max(passed, text.length - longestEnd) };
  }
}
