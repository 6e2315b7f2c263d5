import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { coreStrategies } from '#servers/core/built-in-definitions.ts';
import { defaultDependencies } from '#servers/core/testing/default-dependencies.ts';
import { defineResource } from '#shared/registry/define-resource.ts';
import { InProcess } from './in-process.ts';
import { largeWrites, storedBefore } from './large-writes.ts';

const strategy = coreStrategies(defaultDependencies)('', 'configmaps');
const server = new InProcess([defineResource({ group: '', resource: 'configmaps', strategy })]);
after(() => server.close());

describe('large writes', () => {
  // Nothing says how long the body is: HTTP/2 and chunks need no Content-Length.
  for (const [name, method, target, body, contentType, status] of largeWrites) {
    test(`answer ${status} when 20,000 ${name}`, async () => {
      await server.send('POST', storedBefore.path, storedBefore.body);
      const answer = await server.send(method, target, body, { 'content-type': contentType });
      assert.equal(answer.status, status);
    });
  }
});
