import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { CoreInMemory } from '#servers/core/controllers/testing/core-in-memory.ts';
import { defaulted, strategyOf } from '#servers/core/testing/validated.ts';
import { loadFacts } from '#shared/api/load-facts.ts';
import { StatusError } from '#shared/apimachinery/errors/status.ts';
import { parseGroupVersion } from '#shared/apimachinery/gvk.ts';
import type { JsonValue } from '#shared/apimachinery/json/json.ts';
import { asKubeObject, type KubeObject } from '#shared/apimachinery/object.ts';
import type { ResourceStore } from '#shared/registry/resource-store.ts';
import type { OperationContext } from '#shared/registry/strategy.ts';
import { systemContext } from '#shared/registry/system-context.ts';
import { seeds, type Seed } from '#test/conformance/differential/seeds.ts';
import { pathText, withValue } from '#test/conformance/number-edges/places.ts';
import {
  causesOf,
  readRecordedTexts,
  seedName,
  type RecordedText,
} from '#test/conformance/validation-sweep/odd-texts.ts';

/** The objects of a seed's kind in memory. */
interface Kept {
  readonly store: ResourceStore;
  readonly context: OperationContext;
  readonly make: (object: KubeObject) => KubeObject;
  readonly close: () => void;
}

function keep({ object, namespace }: Seed): Kept | undefined {
  const { group, version } = parseGroupVersion(String(object.apiVersion));
  const facts = loadFacts().byKind(group, version, String(object.kind));
  // Others are validated in another version.
  if (facts === undefined || facts.storageVersion !== object.apiVersion) return undefined;
  const { resource, namespaced } = facts;
  // The rights of the user and the allocation of addresses need other resources.
  const strategy = { ...strategyOf(group, resource) };
  delete strategy.authorizeUpdate;
  delete strategy.beginCreate;
  delete strategy.beginUpdate;
  const memory = new CoreInMemory([{ group, resource, strategy }]);
  return {
    store: memory.core.store(group, resource),
    context: systemContext({ namespace: namespaced ? namespace : '' }),
    make: (body) => defaulted({ group, version, resource, namespaced, body }),
    close: () => memory.close(),
  };
}

async function causes({ store, context, make }: Kept, seed: Seed, recorded: RecordedText): Promise<readonly string[]> {
  const changed = (object: KubeObject): KubeObject => asKubeObject(withValue(object, recorded.path, recorded.text));
  try {
    if (!recorded.isUpdate) await store.create(make(changed(seed.object)), context);
    else {
      const name = seed.object.metadata.name ?? '';
      await store.update({ name, subresource: '', transform: (old) => changed(old as KubeObject) }, context);
    }
    return [];
  } catch (error) {
    if (error instanceof StatusError) return causesOf(JSON.parse(JSON.stringify(error.status)) as JsonValue);
    throw error;
  }
}

describe('errors about odd texts', () => {
  const all = Map.groupBy(readRecordedTexts(), ({ seed }) => seed);
  for (const seed of seeds()) {
    const recorded = all.get(seedName(seed)) ?? [];
    const kept = recorded.length === 0 ? undefined : keep(seed);
    if (kept === undefined) continue;
    after(() => kept.close());
    test(`print ${recorded.length} fields of ${seedName(seed)} as the reference does`, async () => {
      if (recorded.some(({ isUpdate }) => isUpdate))
        await kept.store.create(kept.make(asKubeObject(structuredClone(seed.object))), kept.context);
      const wrong: string[] = [];
      for (const one of recorded) {
        const made = await causes(kept, seed, one);
        if (made.join('\n') !== one.causes.join('\n'))
          wrong.push(
            `${one.isUpdate ? 'update' : 'create'} ${pathText(one.path)}\n want ${one.causes.join('\n      ')}\n have ${made.join('\n      ')}`,
          );
      }
      assert.equal(wrong.join('\n'), '');
    });
  }
});
