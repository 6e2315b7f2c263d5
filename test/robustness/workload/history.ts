import type { ResourceName } from './resources.ts';

/** `refused`: certainly nothing happened. `unknown`: it happened once or not at all. */
export type Outcome = 'acknowledged' | 'refused' | 'unknown';

export interface WriteRecord {
  readonly mark: string;
  readonly resource: ResourceName;
  readonly name: string;
  readonly verb: 'create' | 'replace' | 'patch' | 'delete';
  /** The resourceVersion that the client asked for. */
  readonly precondition?: number;
  /** Highest revision that any client knew of when this began. */
  readonly floor: number;
  readonly outcome: Outcome;
  /** Of the answer; 0 without one. */
  readonly status: number;
  /** Of an acknowledged write but a deletion, whose answer names none. */
  readonly revision?: number;
  /** What the answer said, for reports. */
  readonly said: string;
}

/** A consistent read of one object. */
export interface GetRecord {
  readonly resource: ResourceName;
  readonly name: string;
  readonly floor: number;
  /** Absent: there was none. */
  readonly found?: { readonly mark: string; readonly revision: number; readonly torn: boolean };
}

export interface ListRecord {
  readonly resource: ResourceName;
  /** The label that was selected by. */
  readonly color?: string;
  /** Absent for a list that may be old. */
  readonly floor?: number;
  readonly revision: number;
  /** `name@revision` in the order of the answer. */
  readonly items: readonly string[];
  readonly how: string;
}

/** What a watcher saw. `listed`: it began anew from a list; `resumed`: the connection was lost and opened again. */
export type WatchStep =
  | { readonly kind: 'listed'; readonly revision: number; readonly items: readonly string[] }
  | { readonly kind: 'streaming' }
  | { readonly kind: 'event'; readonly type: string; readonly name: string; readonly revision: number }
  | { readonly kind: 'bookmark'; readonly revision: number; readonly endOfInitial: boolean };

export interface WatchRecord {
  readonly label: string;
  readonly resource: ResourceName;
  readonly color?: string;
  readonly steps: WatchStep[];
}

/** Everything that the clients of a round did and saw. */
export class History {
  readonly writes: WriteRecord[] = [];
  readonly gets: GetRecord[] = [];
  readonly lists: ListRecord[] = [];
  readonly watches: WatchRecord[] = [];
  /** What no model is needed to see: answers that are half, requests that hang. */
  readonly violations: string[] = [];
  /** Answers of kinds that are no success, by text. */
  readonly refusals = new Map<string, number>();
  #known = 0;
  #marks = 0;

  /** Highest revision that any client has been told by a write or a consistent read. */
  get floor(): number {
    return this.#known;
  }

  know(revision: number): void {
    if (revision > this.#known) this.#known = revision;
  }

  newMark(client: string): string {
    return `${client}-${++this.#marks}`;
  }

  refuse(what: string): void {
    this.refusals.set(what, (this.refusals.get(what) ?? 0) + 1);
  }
}
