import type { RequestInfo } from '#shared/request/request-info.ts';

/** Watches of these resources that ask for one value of the field get few of the events. */
const indexedFields: ReadonlyMap<string, string> = new Map([['pods', 'spec.nodeName']]);

/** What a watch is about. */
type Watched = Pick<RequestInfo, 'apiGroup' | 'resource' | 'namespace' | 'name'>;

/** The watches that this process serves, by what they are about (apiserver/pkg/util/flowcontrol/watch_tracker.go). */
export class WatchCounts {
  readonly #counts = new Map<string, number>();

  /** Counts a watch; call the result once, at its end. */
  begin(info: RequestInfo, fieldValue: (field: string) => string | undefined): () => void {
    const field = indexedFields.get(info.resource);
    // Of those with another value, an event reaches hardly any.
    if (field !== undefined && (fieldValue(field) ?? '') !== '') return () => {};
    const key = keyOf(info, info.namespace, info.name);
    this.#add(key, 1);
    return () => this.#add(key, -1);
  }

  /** How many watches a write may reach. */
  interestedIn(info: RequestInfo): number {
    const { namespace, name } = info;
    let count = this.#count(info, '', '');
    if (namespace !== '') count += this.#count(info, namespace, '');
    if (name !== '') count += this.#count(info, namespace, name);
    return count;
  }

  #count(info: Watched, namespace: string, name: string): number {
    return this.#counts.get(keyOf(info, namespace, name)) ?? 0;
  }

  #add(key: string, change: 1 | -1): void {
    const count = (this.#counts.get(key) ?? 0) + change;
    if (count === 0) this.#counts.delete(key);
    else this.#counts.set(key, count);
  }
}

/** No part of a path holds a slash. */
function keyOf({ apiGroup, resource }: Watched, namespace: string, name: string): string {
  return `${apiGroup}/${resource}/${namespace}/${name}`;
}
