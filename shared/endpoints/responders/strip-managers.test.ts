import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { describe, it } from 'node:test';
import { withoutFieldManagers } from './strip-managers.ts';

const managers = '[{"manager":"m","fieldsV1":{"f:a":{}}}]';

describe('withoutFieldManagers', () => {
  for (const [name, json, place, without] of [
    [
      'behind others',
      `{"metadata":{"name":"a","managedFields":${managers}},"b":1}`,
      'whole',
      '{"metadata":{"name":"a"},"b":1}',
    ],
    ['between others', `{"metadata":{"a":1,"managedFields":${managers},"z":1}}`, 'whole', '{"metadata":{"a":1,"z":1}}'],
    ['alone', `{"metadata":{"managedFields":${managers}}}`, 'whole', '{"metadata":{}}'],
    ['before others', `{"metadata":{"managedFields":${managers},"z":1}}`, 'whole', '{"metadata":{"z":1}}'],
    [
      'in a row',
      `{"cells":["{"],"object":{"metadata":{"managedFields":${managers}}}}`,
      'row',
      '{"cells":["{"],"object":{"metadata":{}}}',
    ],
    ['nowhere', '{"data":{"managedFields":1}}', 'whole', '{"data":{"managedFields":1}}'],
  ] as const) {
    it(`leaves out managers ${name}`, () => {
      assert.equal(Buffer.concat(withoutFieldManagers(Buffer.from(json), place)).toString(), without);
    });
  }
});
