/**
 * Matches quoted texts, comments and brackets; the first group is empty where a double quotation mark is not closed.
 */
const bracketToken = /"(?:[^"\\]|\\[^])*("?)|'(?:[^']|'')*'|(?<=\s)#[^\n]*|[[\]{}]/g;
const withoutQuotations = /'(?:[^']|'')*'|(?<=\s)#[^\n]*|[[\]{}]/g;

/** Brackets that are open at the end of a text, without those in quotation marks and comments. */
export function openBrackets(text: string): ('{' | '[')[] {
  const open: ('{' | '[')[] = [];
  let tokens = new RegExp(bracketToken);
  for (let match = tokens.exec(text); match !== null; match = tokens.exec(text)) {
    const [token, mark] = match;
    if (mark === '') {
      // If one quotation mark is not closed, no later one is: they need not be searched.
      tokens = new RegExp(withoutQuotations);
      tokens.lastIndex = match.index + 1;
      continue;
    }
    if (token === '{' || token === '[') open.push(token);
    else if (token === '}' || token === ']') open.pop();
  }
  return open;
}
