import type { LogEvent } from './store-log.ts';
import type { StoredObject } from './stored-object.ts';

/** One change of an object of the resource. `object` is absent for a deletion. */
export interface TimelineEvent {
  readonly revision: number;
  readonly name: string;
  readonly object?: StoredObject;
  /** State of the object before. */
  readonly before?: { readonly revision: number; readonly object: StoredObject };
}

export interface WatchedChange {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly name: string;
  readonly revision: number;
}

/** What happened to the objects of one resource in one namespace, in order: what answers are compared with. */
export class ResourceTimeline {
  readonly events: TimelineEvent[] = [];
  readonly #byName = new Map<string, TimelineEvent[]>();

  /** `storedAt`: prefix of the keys, with a slash at the end. */
  constructor(log: readonly LogEvent[], storedAt: string) {
    for (const { key, revision, object } of log) {
      if (!key.startsWith(storedAt)) continue;
      const name = key.slice(storedAt.length);
      const own = this.of(name);
      const last = own.at(-1);
      const event: TimelineEvent = {
        revision,
        name,
        ...(object === undefined ? {} : { object }),
        ...(last?.object === undefined ? {} : { before: { revision: last.revision, object: last.object } }),
      };
      own.push(event);
      this.#byName.set(name, own);
      this.events.push(event);
    }
  }

  /** Changes of one object, in order. */
  of(name: string): TimelineEvent[] {
    return this.#byName.get(name) ?? [];
  }

  /** `name@revision` of what was there at a revision, in the order of lists. */
  stateAt(revision: number, color?: string): string[] {
    const state = new Map<string, string>();
    for (const event of this.events) {
      if (event.revision > revision) break;
      if (event.object === undefined || (color !== undefined && event.object.color !== color)) state.delete(event.name);
      else state.set(event.name, `${event.name}@${event.revision}`);
    }
    return [...state.keys()].sort().map((name) => state.get(name) ?? '');
  }

  /** What a watch with the selection is told. */
  changes(color?: string): WatchedChange[] {
    const selected = (object: StoredObject | undefined): boolean =>
      object !== undefined && (color === undefined || object.color === color);
    const changes: WatchedChange[] = [];
    for (const { revision, name, object, before } of this.events) {
      const [was, is] = [selected(before?.object), selected(object)];
      if (was || is) changes.push({ type: was ? (is ? 'MODIFIED' : 'DELETED') : 'ADDED', name, revision });
    }
    return changes;
  }
}
