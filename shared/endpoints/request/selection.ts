import { failureStatus, StatusError } from '#shared/apimachinery/errors/status.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import {
  matchesFields,
  requiredFieldValue,
  formatFieldSelector,
  type FieldSelector,
} from '#shared/apimachinery/selectors/fields.ts';
import { formatLabelSelector, matchesLabels, selectsEverything } from '#shared/apimachinery/selectors/labels.ts';
import { inSlices } from '#shared/apimachinery/slices/slices.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import { isDNS1123Label, nameIsPathSegment } from '#shared/apimachinery/validation/names.ts';
import type { ListOptions } from '#shared/endpoints/options/list-options.ts';
import { parseShardSelector, type ShardSelector } from '#shared/endpoints/shards/shard-selector.ts';
import type { ResourceStore } from '#shared/registry/resource-store.ts';
import type { CacheEntry } from '#shared/watchcache/watch-cache.ts';

/** The objects of a resource that a list, watch or deletecollection selects. */
export interface Selection {
  /** The prefix of the selected keys. */
  readonly prefix: string;
  /** The only selected key, where the selectors require one name. */
  readonly key: string | undefined;
  /** Further conditions; undefined where there are none. */
  readonly matches: ((entry: CacheEntry) => boolean) | undefined;
  /** Text of the conditions; equal conditions have equal texts. */
  readonly text: string;
  /** True without a label or field selector. */
  readonly everything: boolean;
  /** The requested shard selector, as the list response repeats it; empty for the whole collection. */
  readonly shard: string;
}

/**
 * Narrows the keys by namespace and name as far as the selectors allow; the other conditions are matched per object.
 */
export async function selectionOf(
  store: ResourceStore,
  requestNamespace: string,
  options: ListOptions,
): Promise<Selection> {
  const selection = unshardedSelection(store, requestNamespace, options);
  return options.shardSelector === '' ? selection : inShard(selection, store, await readShard(options.shardSelector));
}

function inShard(selection: Selection, store: ResourceStore, shard: ShardSelector): Selection {
  const { matches } = selection;
  return {
    ...selection,
    shard: shard.text,
    text: `${selection.text}\n${shard.text}`,
    matches: (entry) => (matches === undefined || matches(entry)) && shard.matches(store.parse(entry)),
  };
}

async function readShard(text: string): Promise<ShardSelector> {
  try {
    return await inSlices(parseShardSelector(text));
  } catch (error) {
    if (error instanceof StatusError) throw error;
    throw new StatusError(
      failureStatus(500, '', `invalid shard selector: ${error instanceof Error ? error.message : String(error)}`),
    );
  }
}

function unshardedSelection(store: ResourceStore, requestNamespace: string, options: ListOptions): Selection {
  const { labels, fields } = options;
  const everything = selectsEverything(labels) && fields.length === 0;
  const namespace = store.facts.namespaced ? effectiveNamespace(requestNamespace, options) : '';
  const prefix = store.key(namespace);
  refuseDots(store, namespace, everything ? undefined : fields);
  if (everything) return { prefix, key: undefined, matches: undefined, text: '', everything, shard: '' };
  const name = requiredFieldValue(fields, 'metadata.name');
  const single =
    name !== undefined && nameIsPathSegment(name, false).length === 0 && (namespace !== '' || !store.facts.namespaced);
  const key = single ? store.key(namespace, name) : undefined;
  return {
    prefix,
    key,
    matches: matcher(options),
    text: `${formatLabelSelector(labels)}\n${formatFieldSelector(fields)}`,
    everything,
    shard: '',
  };
}

/** Refuses `.` and `..` as a namespace, which no storage key may contain (apiserver/pkg/storage/etcd3, prepareKey). */
function refuseDots({ facts }: ResourceStore, namespace: string, fields: FieldSelector | undefined): void {
  if (namespace !== '.' && namespace !== '..') return;
  const name = fields === undefined ? undefined : requiredFieldValue(fields, 'metadata.name');
  throw new StatusError(
    failureStatus(
      500,
      '',
      `invalid key: ${goQuote(['', facts.storagePrefix, namespace, ...(name === undefined ? [] : [name])].join('/'))}`,
    ),
  );
}

/** A list of all namespaces whose field selector names a namespace is a list of that namespace. */
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

/** Whether the selectors match an object that is not in a cache; its only selectable fields are name and namespace. */
export function selectsObject({ labels, fields }: ListOptions, { metadata }: KubeObject): boolean {
  return (
    matchesLabels(labels, metadata.labels) &&
    matchesFields(fields, { 'metadata.name': metadata.name ?? '', 'metadata.namespace': metadata.namespace ?? '' })
  );
}

function matchesEntryFields(fields: FieldSelector, entry: CacheEntry): boolean {
  return fields.every((item) => {
    if (item.field === 'metadata.name') return (entry.name === item.value) === (item.operator === '=');
    if (item.field === 'metadata.namespace') return (entry.namespace === item.value) === (item.operator === '=');
    return matchesFields([item], entry.fields ?? {});
  });
}
