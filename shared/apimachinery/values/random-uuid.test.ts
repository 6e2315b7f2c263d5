import assert from 'node:assert/strict';
import { test } from 'node:test';
import { randomUuid } from './random-uuid.ts';

test('random UUIDs have the form of RFC 9562 section 5.4, every variant, and are all different', () => {
  const made = Array.from({ length: 1000 }, randomUuid);
  for (const uuid of made) assert.match(uuid, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.equal(new Set(made).size, made.length);
  assert.deepEqual(new Set(made.map((uuid) => uuid[19])), new Set(['8', '9', 'a', 'b']));
});
