const closers = /[\]}]/;

/**
 * Compact JSON indented by two spaces as Go's `json.MarshalIndent` prints it (`?pretty`, curl, browsers). Strings and
 * numbers are copied as they are. No line break at the end.
 */
export function prettyJson(compact: string): string {
  let out = '';
  let depth = 0;
  let from = 0;
  const flush = (to: number, text: string): void => {
    out += compact.slice(from, to) + text;
    from = to + 1;
  };
  const newline = (): string => `\n${'  '.repeat(depth)}`;
  for (let i = 0; i < compact.length; i++) {
    const character = compact[i] as string;
    if (character === '"') i = endOfString(compact, i);
    else if (character === '{' || character === '[') {
      if (closers.test(compact[i + 1] ?? '')) i++;
      else {
        depth++;
        flush(i, character + newline());
      }
    } else if (character === '}' || character === ']') {
      depth--;
      flush(i, newline() + character);
    } else if (character === ',') flush(i, ',' + newline());
    else if (character === ':') flush(i, ': ');
  }
  return out + compact.slice(from);
}

/** Position of the closing quote of the string that opens at `start`. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end;
}

function isEscaped(text: string, at: number): boolean {
  let slashes = 0;
  while (text[at - 1 - slashes] === '\\') slashes++;
  return slashes % 2 === 1;
}
