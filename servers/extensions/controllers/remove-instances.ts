import type { DefinitionView } from '#servers/extensions/facts/definition-view.ts';
import { objectNowMs } from '#shared/apimachinery/chance/object-clock.ts';
import { isObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { asKubeObject } from '#shared/apimachinery/object.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { timeFromMs } from '#shared/apimachinery/values/time.ts';
import { raiseGeneration } from '#shared/registry/object-metadata.ts';
import { looseText } from '#shared/serializer/json/loose.ts';
import { parseJson } from '#shared/serializer/json/parse.ts';
import type { StoredKeyValue, Storage } from '#shared/storage/storage.ts';

const pageSize = 500;

/**
 * Deletes the custom resources of a definition in storage; those with finalizers get a deletionTimestamp. Returns how
 * many are left.
 */
export async function removeInstances(storage: Storage, definition: DefinitionView): Promise<number> {
  const prefix = `/${definition.group}/${definition.names.plural}/`;
  let left = 0;
  for (let startKey = prefix, more = true; more;) {
    const page = await storage.list(prefix, { limit: pageSize, startKey });
    const gone = await Promise.all(page.items.map((kv) => removeOne(storage, kv)));
    left += gone.filter((removed) => !removed).length;
    more = page.more && page.items.length > 0;
    startKey = `${page.items.at(-1)?.key ?? ''}\0`;
  }
  return left;
}

/** Returns false if the object still exists: it has finalizers, or another write came first (a later round retries). */
async function removeOne(storage: Storage, kv: StoredKeyValue): Promise<boolean> {
  const value: JsonValue = atOnce(parseJson(kv.value));
  const object = asKubeObject(isObject(value) ? value : {});
  const { metadata } = object;
  if ((metadata.finalizers ?? []).length === 0) return (await storage.compareAndDelete(kv.key, kv.modRevision)).ok;
  if (metadata.deletionTimestamp) return false;
  metadata.deletionTimestamp = timeFromMs(objectNowMs());
  metadata.deletionGracePeriodSeconds = 0;
  if ((metadata.generation ?? 0) > 0) raiseGeneration(metadata);
  await storage.compareAndSwap(kv.key, kv.modRevision, Buffer.from(`${looseText(object)}\n`));
  return false;
}
