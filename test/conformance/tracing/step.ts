/** Revisions of before the steps. */
export interface OldRevisions {
  /** At which all namespaces were there. */
  readonly revision: string;
  /** Of the first page of a list of namespaces. */
  readonly continues: string;
}

/** A request that is traced. */
export interface Step {
  readonly name: string;
  readonly method: string;
  readonly path: string | ((old: OldRevisions) => string);
  readonly body?: unknown;
  /** Default: JSON. */
  readonly type?: string;
}
