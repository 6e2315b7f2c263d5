import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { validateMounts } from '#servers/core/apis/core/volumes/validation/mounts.ts';
import { defaultDependencies } from '#servers/core/testing/default-dependencies.ts';
import { path } from '#shared/apimachinery/errors/field-error.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { turnsDuring } from '#shared/apimachinery/slices/testing/turns-during.ts';
import { podRules } from './pod-rules.ts';
import { validatePodSpec } from './pod-spec.ts';

const many = 4_000;
const numbers = Array.from({ length: many }, (_, index) => index);

function judged(spec: JsonObject): ReturnType<typeof validatePodSpec> {
  return validatePodSpec(spec, { name: 'a' }, podRules(spec, undefined, defaultDependencies), path('spec'));
}

function container(more: JsonObject): JsonObject {
  return {
    name: 'a',
    image: 'a',
    imagePullPolicy: 'Always',
    terminationMessagePolicy: 'File',
    ...more,
  };
}

const usual = { restartPolicy: 'Always', dnsPolicy: 'Default' };
const specs: Readonly<Record<string, JsonObject>> = {
  volumes: {
    ...usual,
    containers: [container({})],
    volumes: numbers.map((index) => ({ name: `v${index}`, emptyDir: {} })),
  },
  containers: { ...usual, containers: numbers.map((index) => container({ name: `c${index}` })) },
  limits: {
    ...usual,
    containers: [
      container({ resources: { limits: Object.fromEntries(numbers.map((index) => [`example.com/r${index}`, '1'])) } }),
    ],
  },
  variables: {
    ...usual,
    containers: [container({ env: numbers.map((index) => ({ name: `V${index}`, value: 'a' })) })],
  },
};

describe('validatePodSpec', () => {
  for (const [what, spec] of Object.entries(specs))
    test(`yields to the event loop while it validates 4,000 ${what}`, async () => {
      const { turns, value } = await turnsDuring(judged(spec));
      assert.ok(turns > 3, `${turns} turns`);
      assert.deepEqual(value, atOnce(judged(spec)));
    });

  test('returns one error for each of 40,000 devices beside 40,000 mounts', () => {
    const places = Array.from({ length: 40_000 }, (_, index) => index);
    const mounts = places.map((index) => ({ name: 'm', mountPath: `/m${index}` }));
    const devices = places.map((index) => ({ name: `d${index}`, devicePath: `/d${index}` }));
    const volumes = new Map([['m', { name: 'm', emptyDir: {} }]]);
    const steps = validateMounts({ volumeMounts: mounts, volumeDevices: devices }, volumes, path('a'));
    assert.equal(atOnce(steps).length, devices.length);
  });
});
