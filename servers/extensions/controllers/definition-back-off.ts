/** Pauses of a definition whose step failed. */
export const definitionBackOff = { firstMs: 100, longestMs: 10_000 };
