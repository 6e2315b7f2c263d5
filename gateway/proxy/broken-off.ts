import type { GivenUp } from '#shared/request/request-audit.ts';

/** What events tell of a proxy that ends in the midst of an answer, by either side (net/http ErrAbortHandler). */
export const brokenOff: GivenUp = { panic: 'net/http: abort Handler' };
