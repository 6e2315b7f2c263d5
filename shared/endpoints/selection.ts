import { matchesFields, requiredFieldValue, formatFieldSelector, type FieldSelector } from '../apimachinery/fields.ts';
import { formatLabelSelector, matchesLabels, selectsEverything } from '../apimachinery/labels.ts';
import { isDNS1123Label, nameIsPathSegment } from '../apimachinery/names.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import type { ResourceStore } from '../registry/resource-store.ts';
import type { CacheEntry } from '../watchcache/watch-cache.ts';
import type { ListOptions } from './options/list-options.ts';

/** Which objects of a resource a list, watch or deletecollection is about. */
export interface Selection {
  /** Keys below this prefix. */
  readonly prefix: string;
  /** Just this key, where the selectors leave one name. */
  readonly key: string | undefined;
  /** Further conditions; undefined where there are none. */
  readonly matches: ((entry: CacheEntry) => boolean) | undefined;
  /** Text of the conditions, equal for equal ones. */
  readonly text: string;
  /** No selector at all. */
  readonly everything: boolean;
}

/** Narrows the keys by namespace and name as far as the selectors allow, and leaves the rest to be matched. */
export function selectionOf(store: ResourceStore, requestNamespace: string, options: ListOptions): Selection {
  const { labels, fields } = options;
  const everything = selectsEverything(labels) && fields.length === 0;
  const namespace = store.facts.namespaced ? effectiveNamespace(requestNamespace, options) : '';
  const prefix = store.key(namespace);
  if (everything) return { prefix, key: undefined, matches: undefined, text: '', everything };
  const name = requiredFieldValue(fields, 'metadata.name');
  const single = name !== undefined && nameIsPathSegment(name, false).length === 0 && (namespace !== '' || !store.facts.namespaced);
  const key = single ? store.key(namespace, name) : undefined;
  return { prefix, key, matches: matcher(options), text: `${formatLabelSelector(labels)}\n${formatFieldSelector(fields)}`, everything };
}

/** A list of all namespaces whose field selector names one is a list of that namespace. */
function effectiveNamespace(requestNamespace: string, options: ListOptions): string {
  if (requestNamespace !== '' || options.continue !== '') return requestNamespace;
  const selected = requiredFieldValue(options.fields, 'metadata.namespace') ?? '';
  return isDNS1123Label(selected).length === 0 ? selected : '';
}

function matcher({ labels, fields }: ListOptions): (entry: CacheEntry) => boolean {
  if (fields.length === 0) return (entry) => matchesLabels(labels, entry.labels);
  const any = selectsEverything(labels);
  return (entry) => (any || matchesLabels(labels, entry.labels)) && matchesEntryFields(fields, entry);
}

/** The same for an object that is not in a cache; it has no other fields to be selected by than its name and namespace. */
export function selectsObject({ labels, fields }: ListOptions, { metadata }: KubeObject): boolean {
  return matchesLabels(labels, metadata.labels) && matchesFields(fields, { 'metadata.name': metadata.name ?? '', 'metadata.namespace': metadata.namespace ?? '' });
}

function matchesEntryFields(fields: FieldSelector, entry: CacheEntry): boolean {
  return fields.every((item) => {
    if (item.field === 'metadata.name') return (entry.name === item.value) === (item.operator === '=');
    if (item.field === 'metadata.namespace') return (entry.namespace === item.value) === (item.operator === '=');
    return matchesFields([item], entry.fields ?? {});
  });
}
