import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { gatedPodSpecFields } from '#servers/core/apis/core/pods/gated-pod-fields.ts';
import { builtInResources } from '#servers/core/apis/index.ts';
import { loadFacts } from '#shared/api/load-facts.ts';
import type { Schema } from '#shared/apimachinery/schema/schema.ts';
import type { GatedFields } from './disabled-fields.ts';

const facts = loadFacts();

function leadsSomewhere(schema: Schema, field: string): boolean {
  const steps = field.split('.').flatMap((part) => part.split(/(?=\[\]|\{\})/));
  let at: Schema | undefined = schema;
  for (const step of steps) {
    if (step === '[]') at = at?.kind === 'list' ? at.items : undefined;
    else if (step === '{}') at = at?.kind === 'map' ? at.values : undefined;
    else at = at?.kind === 'struct' ? at.flat.find(({ name }) => name === step)?.schema : undefined;
  }
  return at !== undefined;
}

function lost(schema: Schema, table: readonly GatedFields[]): string[] {
  return table
    .flatMap(({ fields, usedBy = [] }) => [...fields, ...usedBy])
    .filter((field) => !leadsSomewhere(schema, field));
}

describe('gated field tables', () => {
  test('name only fields that exist in the schema of their resource', () => {
    const podSpec = facts.model('io.k8s.api.core.v1.PodSpec');
    assert.ok(podSpec);
    assert.deepEqual(lost(podSpec, gatedPodSpecFields), []);
    const stored = new Map(
      facts
        .groups()
        .flatMap(({ versions }) => versions)
        .flatMap(({ resources }) => resources)
        .filter(
          ({ storageVersion, group, version }) => storageVersion === (group === '' ? version : `${group}/${version}`),
        )
        .map((resource) => [`${resource.group}/${resource.resource}`, resource]),
    );
    for (const { group, resource: name, gatedFields: table } of builtInResources) {
      if (table === undefined) continue;
      const key = `${group}/${name}`;
      const resource = stored.get(key);
      assert.ok(resource, key);
      const schema = facts.schema(resource.group, resource.version, resource.kind);
      assert.ok(schema, key);
      assert.deepEqual(lost(schema, table), [], key);
    }
  });
});
