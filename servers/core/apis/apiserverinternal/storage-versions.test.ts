import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fieldErrorText } from '#shared/apimachinery/errors/field-error.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import type { OperationContext } from '#shared/registry/strategy.ts';
import { apiVersionErrors } from './api-version.ts';
import { storageVersionStrategy as strategy } from './storage-versions.ts';

const context = {} as OperationContext;
const server = { apiServerID: 'a', encodingVersion: 'apps/v1', decodableVersions: ['apps/v1'] };

async function faults(status: JsonObject): Promise<string[]> {
  const version = { metadata: { name: 'apps.deployments' }, spec: {}, status };
  return ((await strategy.validateStatusUpdate?.(version, version, context)) ?? []).map((error) =>
    fieldErrorText(error),
  );
}

describe('StorageVersion strategy', () => {
  test('requires a name of the form <group>.<resource>', () => {
    const names = (name: string): string[] =>
      (strategy.validate?.({ metadata: { name } }, context) ?? []).map((error) => error.detail);
    assert.deepEqual(names('example.com.widgets'), []);
    assert.deepEqual(names('widgets'), ['name must be in the form of <group>.<resource>']);
    assert.match(names('a.B')[0] ?? '', /^the resource segment a DNS-1035 label/);
  });

  test('requires decodable encodings and the common encoding version in the status', async () => {
    assert.deepEqual(await faults({ storageVersions: [server], commonEncodingVersion: 'apps/v1' }), []);
    assert.deepEqual(await faults({ storageVersions: [server] }), [
      'status.commonEncodingVersion: Invalid value: null: the common encoding version is apps/v1',
    ]);
    assert.deepEqual(await faults({ storageVersions: [server, server], commonEncodingVersion: 'v1' }), [
      'status.storageVersions[1].apiServerID: Duplicate value: "a"',
      'status.commonEncodingVersion: Invalid value: "v1": the actual common encoding version is apps/v1',
    ]);
    assert.deepEqual(
      await faults({
        storageVersions: [{ ...server, decodableVersions: ['v1'], servedVersions: ['v2'] }],
        commonEncodingVersion: 'apps/v1',
      }),
      [
        'status.storageVersions[0].decodableVersions: Invalid value: ["v1"]: decodableVersions must include encodingVersion apps/v1',
        'status.storageVersions[0].servedVersions[0]: Invalid value: "v2": individual served version : v2 must be included in decodableVersions : [v1]',
      ],
    );
    assert.equal((await faults({ commonEncodingVersion: 'v1' })).length, 1);
    assert.deepEqual(await faults({ conditions: [{ type: 'A', status: 'True', reason: '', message: 'm' }] }), [
      'status[0].reason: Required value',
    ]);
  });

  test('accepts API versions with and without a group', () => {
    for (const text of ['v1', 'apps/v1']) assert.deepEqual(apiVersionErrors(text), []);
    assert.deepEqual(apiVersionErrors('/'), ['group part: must be non-empty', 'version part: must be non-empty']);
    assert.match(apiVersionErrors('a/b/c')[0] ?? '', /^an apiVersion is a DNS-1035 label/);
  });
});
