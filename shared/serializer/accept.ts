/** One clause of an Accept header. */
export interface AcceptClause {
  readonly type: string;
  readonly subtype: string;
  readonly quality: number;
  readonly params: ReadonlyMap<string, string>;
}

/** Uses no regular expression: one for trailing spaces takes quadratic time on a long run of spaces. */
export function trimSpaces(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && text[start] === ' ') start++;
  while (end > start && text[end - 1] === ' ') end--;
  return text.slice(start, end);
}

function parseClause(part: string): AcceptClause | undefined {
  const [range = '', ...rest] = part.split(';');
  const [rawType = '', ...subtypes] = range.split('/');
  const type = trimSpaces(rawType);
  const single = subtypes.join('/') === '';
  if ((single && type !== '*') || subtypes.length > 2 || (subtypes.length === 2 && subtypes[1] !== ''))
    return undefined;
  const params = new Map<string, string>();
  let quality = 1;
  for (const piece of rest) {
    const [name = '', value = '', extra = ''] = piece.split('=');
    if (value === '' || extra !== '') continue;
    if (trimSpaces(name) === 'q') quality = Number.parseFloat(value) || 0;
    else params.set(trimSpaces(name), trimSpaces(value));
  }
  return { type, subtype: single ? '*' : trimSpaces(subtypes[0] ?? ''), quality, params };
}

/** The reference's comparison is not a consistent order, so the comparison and the sort below are copied from it. */
function precedes(a: AcceptClause, b: AcceptClause): boolean {
  return a.quality > b.quality || (a.type !== '*' && b.type === '*') || (a.subtype !== '*' && b.subtype === '*');
}

/**
 * Clauses of an Accept header in the order of preference of the reference (insertion sort, which Go uses for up to a
 * dozen elements).
 */
export function parseAccept(header: string): AcceptClause[] {
  const clauses: AcceptClause[] = [];
  for (const part of header.split(',')) {
    const clause = parseClause(trimSpaces(part));
    if (clause === undefined) continue;
    let at = clauses.length;
    while (at > 0 && precedes(clause, clauses[at - 1] as AcceptClause)) at--;
    clauses.splice(at, 0, clause);
  }
  return clauses;
}
