const step = '  ';

/**
 * Compact JSON, indented by two spaces as Go's `json.Indent` does it, with a line break at the end. Works on the text, so
 * that numbers and escapes stay as they are.
 */
export function indentJson(json: Buffer): Buffer {
  const text = json.toString('utf8');
  const out: string[] = [];
  let indent = '\n';
  for (let at = 0; at < text.length;) {
    const char = text.charAt(at);
    if (char === '"') {
      const end = stringEnd(text, at);
      out.push(text.slice(at, end));
      at = end;
      continue;
    }
    at++;
    if (char === '{' || char === '[') {
      const next = text.charAt(at);
      if (next === '}' || next === ']') {
        out.push(char, next);
        at++;
      } else {
        indent += step;
        out.push(char, indent);
      }
    } else if (char === '}' || char === ']') {
      indent = indent.slice(0, -step.length);
      out.push(indent, char);
    } else if (char === ',') out.push(char, indent);
    else if (char === ':') out.push(': ');
    else out.push(char);
  }
  out.push('\n');
  return Buffer.from(out.join(''), 'utf8');
}

function stringEnd(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length) {
    const char = text.charAt(at);
    if (char === '\\') at += 2;
    else if (char === '"') return at + 1;
    else at++;
  }
  return at;
}
