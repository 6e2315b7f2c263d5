import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { defaultDependencies } from '#servers/core/testing/default-dependencies.ts';
import { fieldErrorText } from '#shared/apimachinery/errors/field-error.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { asKubeObject, type KubeObject } from '#shared/apimachinery/object.ts';
import { systemContext } from '#shared/registry/system-context.ts';
import { poolStatusRequestStrategy } from './pool-status-requests.ts';

const strategy = poolStatusRequestStrategy(defaultDependencies);

const request = (spec: JsonObject, status?: JsonObject): KubeObject =>
  asKubeObject({ metadata: { name: 'r' }, spec, ...(status === undefined ? {} : { status }) });
const spec: JsonObject = { driver: 'd.example.com', limit: 100 };

describe('ResourcePoolStatusRequest strategy', () => {
  test('defaults the limit to 100 pools', () => {
    const made = request({ driver: 'd' });
    strategy.applyDefaults?.(made);
    assert.deepEqual(made['spec'], { driver: 'd', limit: 100 });
  });

  test('accepts driver names in upper case and checks every segment of a pool name', () => {
    assert.deepEqual(
      strategy.validate?.(request({ driver: 'D.example.com', poolName: 'a/b', limit: 1 }), systemContext()),
      [],
    );
    const found = strategy
      .validate?.(request({ driver: '-', poolName: 'a//B', limit: 1001 }), systemContext())
      .map(fieldErrorText);
    assert.deepEqual(
      found?.map((text) => text.split(' (e.g.')[0]),
      [
        "spec.driver: Invalid value: \"-\": an RFC 1123 subdomain must consist of alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
        'spec.poolName: Invalid value: "a//B": segment 1: must not be empty',
        "spec.poolName: Invalid value: \"B\": segment 2: a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
        'spec.limit: Invalid value: 1001: must be less than or equal to 1000',
      ],
    );
  });

  test('refuses changes of the spec and of a status that is already set', async () => {
    assert.deepEqual(
      strategy.validateUpdate?.(request({ ...spec, limit: 0 }), request(spec), systemContext()).map(fieldErrorText),
      ['spec: Invalid value: null: field is immutable'],
    );
    const again = await strategy.validateStatusUpdate?.(
      request(spec, { poolCount: -1 }),
      request(spec, { poolCount: 1 }),
      systemContext(),
    );
    assert.deepEqual(again?.map(fieldErrorText), [
      'status: Invalid value: {"PoolCount":-1,"Pools":null,"Conditions":null}: field is immutable',
      'status.poolCount: Invalid value: -1: must be greater than or equal to 0',
    ]);
  });
});
