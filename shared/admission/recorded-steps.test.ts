import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { AdmissionStep } from '#shared/request/admission-step.ts';
import { createAdmissionChain, type PluginRegistry } from './admission-chain.ts';
import type { AdmissionPlugin } from './contract/admission.ts';
import { flagsWith } from './testing/admission-flags.ts';
import { configMapAttributes } from './testing/attributes.ts';

const plugins: PluginRegistry = {
  Priority: (): AdmissionPlugin => ({
    name: 'Priority',
    handles: () => true,
    admit: ({ object }) => void Object.assign(object?.metadata ?? {}, { labels: { a: 'b' } }),
  }),
  ResourceQuota: (): AdmissionPlugin => ({
    name: 'ResourceQuota',
    handles: () => true,
    validate: () => Promise.reject(new Error('too many')),
  }),
};

describe('createAdmissionChain', () => {
  test('tells the recorder of a request each step, with what it changed and why it refused', async () => {
    const steps: AdmissionStep[] = [];
    const chain = createAdmissionChain(flagsWith(), plugins);
    const attributes = configMapAttributes({ recorder: { record: (step) => void steps.push(step) } });
    await chain.admit(attributes);
    await assert.rejects(chain.validate(attributes), /too many/);
    assert.ok(steps.every(({ ms }) => ms >= 0 && ms < 10_000));
    assert.deepEqual(
      steps.map(({ ms: _, ...step }) => step),
      [
        { phase: 'mutating', plugin: 'Priority', verdict: 'admitted', changed: ['/metadata/labels'] },
        { phase: 'validating', plugin: 'ResourceQuota', verdict: 'refused', reason: 'too many', changed: [] },
      ],
    );
  });
});
