import type { GateName } from '#shared/api/feature-gates.ts';

/** The feature gates of a server, as a plain record, for the rules of built-in types. */
export type Gates = Readonly<Record<GateName, boolean>>;
