/** The back-off before a definition is retried after one of its steps failed. */
export const definitionBackOff = { firstMs: 100, longestMs: 10_000 };
