import { pathText, type PathElement } from '#shared/apimachinery/schema/path-element.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import type { FieldSet } from './field-set.ts';

/** What one manager owns, as fields of one version. */
export interface VersionedSet {
  readonly set: FieldSet;
  readonly apiVersion: string;
  /** Owned by apply, not by update. */
  readonly applied: boolean;
}

/** The sets by manager identifier: any text that distinguishes managers. */
export type Managers = ReadonlyMap<string, VersionedSet>;

/** A path that another manager owns and that would change. */
export interface Conflict {
  readonly manager: string;
  readonly path: readonly PathElement[];
}

/** Thrown by an apply that is not forced. */
export class ConflictError extends Error {
  /** Managers sorted, their paths in the order of their sets. */
  readonly conflicts: readonly Conflict[];

  constructor(conflicts: readonly Conflict[]) {
    super(conflictsText(conflicts));
    this.name = 'ConflictError';
    this.conflicts = conflicts;
  }
}

function conflictsText(conflicts: readonly Conflict[]): string {
  const [first] = conflicts;
  if (first !== undefined && conflicts.length === 1)
    return `conflict with ${goQuote(first.manager)}: ${pathText(first.path)}`;
  const byManager = Map.groupBy(conflicts, ({ manager }) => manager);
  return [...byManager]
    .flatMap(([manager, of]) => [`conflicts with ${goQuote(manager)}:`, ...of.map(({ path }) => `- ${pathText(path)}`)])
    .join('\n');
}
