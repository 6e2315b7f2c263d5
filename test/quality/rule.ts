import type { TypedProject } from './typed-sources.ts';

export interface SourceText {
  /** Relative to the project's root. */
  readonly name: string;
  readonly text: string;
}

/** What the rules of `npm run check` look at. */
export interface CheckedProject {
  /** Every TypeScript file, without generated ones. */
  readonly sources: readonly SourceText[];
  /** Every file that git keeps or would add, relative to the root. */
  readonly files: readonly string[];
  readonly typed: TypedProject;
}

export interface Findings {
  /** A line for each: where it is, what is wrong, what to do. */
  readonly problems: readonly string[];
  /** What was looked at, for the line that the rule gets in the report. */
  readonly summary: string;
}

/** A rule of `npm run check`, which is known by the name of its file. */
export interface Rule {
  check(project: CheckedProject): Findings;
  /** Of a rule that holds made files: makes them. */
  write?(project: CheckedProject): void;
}
