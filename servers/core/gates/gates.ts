import type { GateName } from '../../../shared/api/feature-gates.ts';

/** What the gates of a server say to the rules of built-in types: a plain record, so that a rule reads a member. */
export type Gates = Readonly<Record<GateName, boolean>>;
