import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { asKubeObject, stringAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { systemContext } from '#shared/registry/system-context.ts';
import { deviceTaintRuleStrategy as strategy } from './device-taints.ts';

const rule = (spec: JsonObject): KubeObject => asKubeObject({ metadata: { name: 'r' }, spec });
const taint: JsonObject = { key: 'a', effect: 'NoExecute' };

describe('DeviceTaintRule strategy', () => {
  test('sets timeAdded on every taint', () => {
    const made = asKubeObject({ metadata: { name: 'r' } });
    strategy.applyDefaults?.(made);
    assert.match(stringAt(made, 'spec', 'taint', 'timeAdded'), /^\d{4}-/);
  });

  test('refuses empty and malformed names in the device selector', () => {
    const fields = strategy
      .validate?.(rule({ deviceSelector: { driver: '', pool: 'a//b', device: 'A' }, taint: {} }), systemContext())
      .map(({ field }) => field);
    assert.deepEqual(
      new Set(fields),
      new Set([
        'spec.deviceSelector.driver',
        'spec.deviceSelector.pool',
        'spec.deviceSelector.device',
        'spec.taint.key',
        'spec.taint.effect',
      ]),
    );
  });

  test('accepts an unknown effect in an update when the old object has it', () => {
    const odd = rule({ taint: { ...taint, effect: 'Odd' } });
    assert.deepEqual(strategy.validateUpdate?.(odd, odd, systemContext()), []);
    assert.equal(strategy.validateUpdate?.(odd, rule({ taint }), systemContext()).length, 1);
  });
});
