import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { apiServerId } from './api-server-id.ts';

describe('apiServerId', () => {
  test("has the reference's form, the same for one host, and differs for a second gateway on it", () => {
    assert.match(apiServerId('machine'), /^apiserver-[a-z2-7]{26}$/);
    assert.equal(apiServerId('machine'), apiServerId('machine'));
    assert.notEqual(apiServerId('machine'), apiServerId('machine', 2));
  });
});
