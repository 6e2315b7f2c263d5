import { FieldSet, type SetEntry } from './field-set.ts';

/** What is left of a set. */
export type FieldFilter = (set: FieldSet) => FieldSet;

/** Names of fields on the way from the object; `*` stands for any element (a list item, a key). */
export type FieldPattern = readonly string[];

type Patterns = Map<string, Patterns | 'all'>;

/** Keeps the paths on the way to a pattern and all below it. Of two patterns that start with a name and with `*`, `*` counts. */
export function onlyMatching(...patterns: readonly FieldPattern[]): FieldFilter {
  const root: Patterns = new Map();
  for (const pattern of patterns) addPattern(root, pattern);
  return (set) => matching(set, root);
}

function addPattern(patterns: Patterns, [first, ...rest]: FieldPattern): void {
  if (first === undefined) return;
  const known = patterns.get(first);
  if (known === 'all') return;
  if (rest.length === 0) {
    patterns.set(first, 'all');
    return;
  }
  const below: Patterns = known ?? new Map<string, Patterns | 'all'>();
  patterns.set(first, below);
  addPattern(below, rest);
}

function matching(set: FieldSet, patterns: Patterns): FieldSet {
  return set.map((entry) => {
    const { element, member, children } = entry;
    const below = patterns.get('*') ?? (element.kind === 'field' ? patterns.get(element.name) : undefined);
    if (below === undefined) return undefined;
    if (below === 'all' || children === undefined) return entry;
    const kept = matching(children, below);
    return kept === children ? entry : entryOf(entry, member, kept);
  });
}

function entryOf({ element }: SetEntry, member: boolean, children: FieldSet): SetEntry | undefined {
  if (!member && children.isEmpty) return undefined;
  return { element, member, children: children.isEmpty ? undefined : children };
}

/** The filter that a set of fields (cut away with all below them) or a filter stands for; undefined changes nothing. */
export function asFilter(fields: FieldSet | FieldFilter | undefined): FieldFilter | undefined {
  return fields instanceof FieldSet ? (set) => set.recursiveDifference(fields) : fields;
}
