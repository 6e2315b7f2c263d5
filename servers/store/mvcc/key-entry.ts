/** One version of a key: its row in the log, and the revisions that range filters use. */
export interface VersionRef {
  readonly key: string;
  /** Id of the row in the log. */
  readonly id: number;
  readonly modRevision: number;
  /** 0 if this version is a deletion. */
  readonly createRevision: number;
}

/**
 * A key with its newest version in the fields, and older versions in `history`, oldest first.
 *
 * Put at 2, put at 5, deleted at 6, put at 9 gives: newest = 9 (created 9), history = [2 (2), 5 (2), 6 (deleted)]. At
 * revision 7 the key does not exist; at 5 its row is the second. Compacting at 5 leaves history = [5 (2), 6 (deleted)];
 * compacting at 7 leaves no history.
 */
export class KeyEntry implements VersionRef {
  readonly key: string;
  id = 0;
  modRevision = 0;
  createRevision = 0;
  version = 0;
  lease = '0';
  /** Stored form of the newest version, if it is kept in memory. */
  bytes: Buffer | undefined = undefined;
  /**
   * Flat triples of row id, mod revision and create revision; undefined saves memory for the many keys without history.
   */
  history: number[] | undefined = undefined;

  constructor(key: string) {
    this.key = key;
  }

  /** The version that was the newest at a revision; undefined when the key did not exist then. */
  at(revision: number): VersionRef | undefined {
    if (this.modRevision <= revision) return this.createRevision === 0 ? undefined : this;
    const found = this.#before(revision + 1);
    return found === undefined || found.createRevision === 0 ? undefined : found;
  }

  /** The version that was live before a revision; undefined if the key did not exist then. */
  before(revision: number): VersionRef | undefined {
    return this.at(revision - 1);
  }

  /** Moves the newest version to the history, before a new one is set. */
  pushHistory(): void {
    if (this.id === 0) return;
    (this.history ??= []).push(this.id, this.modRevision, this.createRevision);
  }

  /**
   * Drops versions that a compaction makes unreachable: every version that has a successor at or before `revision`, and
   * a deletion before `revision`. Returns whether any version is left; dropped row ids are added to `dropped`.
   */
  compact(revision: number, dropped: number[]): boolean {
    const history = this.history;
    if (history !== undefined) {
      let keep = 0;
      while (keep < history.length && (history[keep + 4] ?? this.modRevision) <= revision) {
        dropped.push(history[keep] as number);
        keep += 3;
      }
      if (keep < history.length && history[keep + 2] === 0 && (history[keep + 1] as number) < revision) {
        dropped.push(history[keep] as number);
        keep += 3;
      }
      if (keep === history.length) this.history = undefined;
      else if (keep > 0) this.history = history.slice(keep);
    }
    if (this.history !== undefined || this.createRevision !== 0 || this.modRevision >= revision) return true;
    dropped.push(this.id);
    return false;
  }

  #before(revision: number): VersionRef | undefined {
    const history = this.history;
    if (history === undefined) return undefined;
    for (let at = history.length - 3; at >= 0; at -= 3) {
      const modRevision = history[at + 1] as number;
      if (modRevision < revision)
        return { key: this.key, id: history[at] as number, modRevision, createRevision: history[at + 2] as number };
    }
    return undefined;
  }
}
