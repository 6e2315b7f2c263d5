import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { resolveFeatureGates } from '#shared/api/feature-gates.ts';
import { fieldErrorText } from '#shared/apimachinery/errors/field-error.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { asKubeObject, type KubeObject } from '#shared/apimachinery/object.ts';
import { validateJobStatus } from './job-status-validation.ts';

function job(status: JsonObject): KubeObject {
  return asKubeObject({ metadata: { name: 'j' }, spec: {}, status });
}

function errorsWith(gates: Record<string, 'false'>, status: JsonObject, before: JsonObject = {}): string[] {
  const release = '1.33';
  const settled = resolveFeatureGates(gates, { emulation: release, minCompatibility: release }).record();
  return validateJobStatus(job(status), job(before), settled).map(fieldErrorText);
}

const condition = (type: string): JsonObject => ({ type, status: 'True' });

describe('validateJobStatus', () => {
  test('checks condition transitions only when the JobManagedBy gate is on', () => {
    const status = { conditions: [condition('Complete')], startTime: '2026-01-01T00:00:00Z' };
    assert.deepEqual(errorsWith({}, status), [
      'status.completionTime: Required value: completionTime is required for Complete jobs',
      'status.conditions: Invalid value: cannot set Complete=True condition without the SuccessCriteriaMet=true condition',
    ]);
    assert.deepEqual(errorsWith({ JobManagedBy: 'false' }, status), []);
  });

  test("takes Go's zero time, which is null, for a completionTime", () => {
    // As kube-apiserver answers.
    assert.deepEqual(errorsWith({}, { completionTime: null }), [
      'status.completionTime: Invalid value: null: cannot set completionTime when there is no Complete=True condition',
    ]);
  });

  test('accepts SuccessCriteriaMet on any Job when the JobPodReplacementPolicy gate is on', () => {
    const status = { conditions: [condition('SuccessCriteriaMet')] };
    assert.deepEqual(errorsWith({ JobManagedBy: 'false' }, status), []);
    assert.deepEqual(errorsWith({ JobManagedBy: 'false', JobPodReplacementPolicy: 'false' }, status, status), []);
    assert.deepEqual(errorsWith({ JobManagedBy: 'false', JobPodReplacementPolicy: 'false' }, status), [
      'status.conditions: Invalid value: cannot set SuccessCriteriaMet to NonIndexed Job',
      'status.conditions: Invalid value: cannot set SuccessCriteriaMet=True for Job without SuccessPolicy',
    ]);
  });
});
