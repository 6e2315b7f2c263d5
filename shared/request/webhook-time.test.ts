import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { RequestContext } from './request-context.ts';
import { addWebhookTime, noteWebhookTime, readWebhookTime } from './webhook-time.ts';

describe('noteWebhookTime', () => {
  test('adds up in the process and, by notes, in the gateway', () => {
    const gateway = {} as unknown as RequestContext;
    const exchange = { sendNote: (note: Uint8Array) => addWebhookTime(gateway, readWebhookTime(note) ?? 0) };
    const backend = { exchange } as unknown as RequestContext;
    noteWebhookTime(backend, 1.5);
    noteWebhookTime(backend, 20);
    assert.deepEqual([backend.webhookMs, gateway.webhookMs], [21.5, 21.5]);
  });

  test('leaves other notes to others', () => {
    assert.equal(readWebhookTime(Uint8Array.of(0x10)), undefined);
    assert.equal(readWebhookTime(Uint8Array.of(0x11)), undefined);
  });
});
