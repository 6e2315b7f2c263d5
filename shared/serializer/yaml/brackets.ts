const bracketToken = /"(?:[^"\\]|\\[^])*"|'(?:[^']|'')*'|(?<=\s)#[^\n]*|[[\]{}]/g;

/** Brackets that are open at the end of a text; those in quotation marks and comments are none. */
export function openBrackets(text: string): ('{' | '[')[] {
  const open: ('{' | '[')[] = [];
  for (const [token] of text.matchAll(bracketToken)) {
    if (token === '{' || token === '[') open.push(token);
    else if (token === '}' || token === ']') open.pop();
  }
  return open;
}
