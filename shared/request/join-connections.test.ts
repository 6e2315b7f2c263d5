import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import type { StatusError } from '../apimachinery/status.ts';
import { DirectReads } from './direct-reads.ts';
import type { Exchange } from './exchange.ts';
import { joinUpgraded } from './join-connections.ts';

test('a client whose connection cannot be taken over is told, and the other connection ends', () => {
  const socket = new PassThrough();
  const exchange = { upgrade: () => undefined } as unknown as Exchange;
  const upgraded = {
    response: { rawHeaders: [] } as unknown as IncomingMessage,
    socket,
    head: Buffer.alloc(0),
    reads: new DirectReads(),
  };
  assert.throws(
    () => joinUpgraded(exchange, upgraded),
    (error: StatusError) => error.status.code === 400 && error.status.message === 'Upgrade request required',
  );
  assert.equal(socket.destroyed, true);
});
