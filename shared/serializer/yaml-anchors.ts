import { EVENT_ALIAS, EVENT_DOCUMENT, EVENT_MAPPING, EVENT_POP, EVENT_SCALAR, EVENT_SEQUENCE, type Event } from 'js-yaml';

/** One node that bears an anchor. */
interface Anchored {
  /** A collection whose end has not come yet: what stands now is within it. */
  open: boolean;
}

/** The name of an anchor whose value contains itself, in the first document; such a value has no end in JSON. */
export function findSelfReference(source: string, events: readonly Event[]): string | undefined {
  const anchors = new Map<string, Anchored>();
  const open: Anchored[] = [];
  let documents = 0;
  for (const event of events) {
    if (event.type === EVENT_POP) {
      const ended = open.pop();
      if (ended !== undefined) ended.open = false;
      continue;
    }
    if (event.type === EVENT_DOCUMENT) {
      if (++documents > 1) return undefined;
      open.push({ open: true });
      continue;
    }
    const name = source.slice(event.anchorStart, event.anchorEnd);
    if (event.type === EVENT_ALIAS) {
      if (anchors.get(name)?.open === true) return name;
      continue;
    }
    const node: Anchored = { open: event.type !== EVENT_SCALAR };
    // The last anchor of a name counts.
    if (name !== '') anchors.set(name, node);
    if (event.type === EVENT_MAPPING || event.type === EVENT_SEQUENCE) open.push(node);
  }
  return undefined;
}
