/** A header field. */
export interface HeaderField {
  readonly name: string;
  readonly value: string;
  /** Whether a reader of fields found the field valid, which need not be found again. */
  isValid: boolean;
}

/** The entries, from index 1 on (RFC 7541 appendix A). */
const entries: readonly (readonly [name: string, value: string])[] = [
  [':authority', ''],
  [':method', 'GET'],
  [':method', 'POST'],
  [':path', '/'],
  [':path', '/index.html'],
  [':scheme', 'http'],
  [':scheme', 'https'],
  [':status', '200'],
  [':status', '204'],
  [':status', '206'],
  [':status', '304'],
  [':status', '400'],
  [':status', '404'],
  [':status', '500'],
  ['accept-charset', ''],
  ['accept-encoding', 'gzip, deflate'],
  ['accept-language', ''],
  ['accept-ranges', ''],
  ['accept', ''],
  ['access-control-allow-origin', ''],
  ['age', ''],
  ['allow', ''],
  ['authorization', ''],
  ['cache-control', ''],
  ['content-disposition', ''],
  ['content-encoding', ''],
  ['content-language', ''],
  ['content-length', ''],
  ['content-location', ''],
  ['content-range', ''],
  ['content-type', ''],
  ['cookie', ''],
  ['date', ''],
  ['etag', ''],
  ['expect', ''],
  ['expires', ''],
  ['from', ''],
  ['host', ''],
  ['if-match', ''],
  ['if-modified-since', ''],
  ['if-none-match', ''],
  ['if-range', ''],
  ['if-unmodified-since', ''],
  ['last-modified', ''],
  ['link', ''],
  ['location', ''],
  ['max-forwards', ''],
  ['proxy-authenticate', ''],
  ['proxy-authorization', ''],
  ['range', ''],
  ['referer', ''],
  ['refresh', ''],
  ['retry-after', ''],
  ['server', ''],
  ['set-cookie', ''],
  ['strict-transport-security', ''],
  ['transfer-encoding', ''],
  ['user-agent', ''],
  ['vary', ''],
  ['via', ''],
  ['www-authenticate', ''],
];

export const staticFields: readonly HeaderField[] = entries.map(([name, value]) => ({ name, value, isValid: false }));

/** The index of the first entry with a name. */
export const staticNames: ReadonlyMap<string, number> = new Map(
  entries.map(([name], at): [string, number] => [name, at + 1]).reverse(),
);

/** The index of an entry by name and value. */
export const staticPairs: ReadonlyMap<string, ReadonlyMap<string, number>> = indexPairs();

function indexPairs(): Map<string, Map<string, number>> {
  const pairs = new Map<string, Map<string, number>>();
  for (const [at, [name, value]] of entries.entries()) {
    const values = pairs.get(name) ?? new Map<string, number>();
    pairs.set(name, values.set(value, at + 1));
  }
  return pairs;
}
