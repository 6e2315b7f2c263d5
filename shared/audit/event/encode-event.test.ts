import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { recordedEvents } from '#shared/audit/testing/recorded-events.ts';
import { encodeEvent } from './encode-event.ts';

describe('encodeEvent', () => {
  for (const { event, line, item } of recordedEvents()) {
    it(`writes ${event.level} ${event.verb} ${event.stage} as the reference`, () => {
      assert.equal(`${encodeEvent(event).toString()}\n`, line);
      assert.equal(encodeEvent(event, 'item').toString(), item);
    });
  }

  it('writes the same user twice from its first text', () => {
    const [{ event } = assert.fail()] = recordedEvents();
    const first = encodeEvent(event).toString();
    assert.equal(encodeEvent({ ...event }).toString(), first);
    const other = { ...event, user: { ...event.user, name: 'other' } };
    assert.match(encodeEvent(other).toString(), /"username":"other"/);
  });
});
