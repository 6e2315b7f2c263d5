import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { asKubeObject, type KubeObject } from '#shared/apimachinery/object.ts';
import { turnsDuring } from '#shared/apimachinery/slices/testing/turns-during.ts';
import { secretResource } from './secrets.ts';

const entries = 50_000;
const made = (): KubeObject =>
  asKubeObject({
    metadata: { name: 'a' },
    data: Object.fromEntries(Array.from({ length: entries }, (_, at) => [`k${at}`, at % 3 === 0 ? null : 'YQ=='])),
    stringData: Object.fromEntries(Array.from({ length: entries }, (_, at) => [`s${at}`, 'a'])),
  });

describe('Secret strategy', () => {
  test('yields to the event loop while it merges 50,000 stringData entries into data', async () => {
    const { strategy } = secretResource;
    assert.ok(typeof strategy === 'object');
    const [once, stepped] = [made(), made()];
    strategy.applyDefaults?.(once);
    const { turns } = await turnsDuring(strategy.applyDefaultsInSteps?.(stepped) ?? assert.fail());
    assert.ok(turns > 5, `${turns} turns`);
    assert.deepEqual(stepped, once);
    assert.deepEqual([once['stringData'], once['type']], [undefined, 'Opaque']);
    assert.equal((once['data'] as Record<string, string>)['k0'], '');
    assert.equal((once['data'] as Record<string, string>)['s9'], 'YQ==');
  });
});
