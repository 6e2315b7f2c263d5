import type { Findings } from './findings.ts';

export interface PartOptions {
  /** The plugin. */
  readonly program: string;
  /** For what the part writes. */
  readonly folder: string;
  readonly isShort: boolean;
  readonly findings: Findings;
}

/** A comparison with servers of its own. */
export type Part = (options: PartOptions) => Promise<void>;
