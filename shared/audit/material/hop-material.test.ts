import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { describe, it } from 'node:test';
import type { AuditLevel } from '#shared/audit/contract/audit-event.ts';
import { AuditMaterial } from './audit-material.ts';
import { HopMaterial, levelHeader, takeMaterial } from './hop-material.ts';

const noConflict = (key: string): void => assert.fail(key);

/** Material at a gateway, and at the backend that sends to it. */
function pair(
  level: AuditLevel,
  omitManagedFields = false,
): { gateway: AuditMaterial; backend: HopMaterial; sent: string[] } {
  const gateway = new AuditMaterial({ level, omitManagedFields, onConflict: noConflict });
  const sent: string[] = [];
  const send = (message: Uint8Array): void => {
    // The bytes are those of a block that is read into again.
    const block = Buffer.from(message);
    sent.push(takeMaterial(gateway, block));
    block.fill(0);
  };
  return { gateway, backend: new HopMaterial(levelHeader(gateway), noConflict, { send, readsBody: true }), sent };
}

describe('HopMaterial', () => {
  it('knows the level and whether managers are left out', () => {
    for (const [level, omits] of [
      ['Metadata', false],
      ['Request', true],
      ['RequestResponse', false],
    ] as const) {
      const { gateway, backend } = pair(level, omits);
      assert.deepEqual(
        [backend.keepsRequest, backend.keepsResponse, backend.omitsManagers],
        [gateway.keepsRequest, gateway.keepsResponse, omits],
      );
    }
  });

  it('sends facts once as the answer begins, and later ones at once', () => {
    const { gateway, backend, sent } = pair('Metadata');
    backend.annotate('a', '1');
    backend.annotate('b', '2');
    backend.noteObject({ name: 'n', uid: 'u' });
    assert.deepEqual(sent, []);
    backend.begin();
    assert.deepEqual(
      [sent.length, gateway.object, [...gateway.annotations.keys()]],
      [1, { name: 'n', uid: 'u' }, ['a', 'b']],
    );
    backend.noteStatus({ status: 'Failure', details: { kind: 'pods' } });
    backend.notePanic('boom');
    assert.deepEqual(
      [sent.length, gateway.status, gateway.panic],
      [3, { status: 'Failure', details: '{"kind":"pods"}' }, 'boom'],
    );
  });

  it('sends what an object says after 100 ms without an answer, and clears the timer when one begins', (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const [late, soon] = [pair('Metadata'), pair('Metadata')];
    const cleared = t.mock.method(globalThis, 'clearTimeout');
    late.backend.noteObject({ name: 'n' });
    soon.backend.noteObject({ name: 'n' });
    soon.backend.begin();
    assert.deepEqual([late.sent.length, soon.sent.length, cleared.mock.callCount()], [0, 1, 1]);
    t.mock.timers.tick(100);
    assert.deepEqual([late.sent.length, soon.sent.length], [1, 1]);
  });

  it('tells what layers took since it told last: sums, and the longest of what passes side by side', () => {
    const { gateway, backend, sent } = pair('Metadata');
    backend.tellLatencies();
    backend.begin();
    assert.deepEqual(sent, []);
    for (const ms of [5, 7]) {
      backend.noteLatency('etcd', ms);
      backend.noteLatency('validating-webhook', 10 - ms);
    }
    backend.tellLatencies();
    backend.noteLatency('etcd', 1);
    backend.tellLatencies();
    assert.deepEqual(gateway.takeLatencies(), [
      ['etcd', 13],
      ['validating-webhook', 5],
    ]);
  });

  it('counts the time since the answer was made as that of its encoding and of its writing', (t) => {
    const now = t.mock.method(performance, 'now', () => 10);
    const { backend } = pair('Metadata');
    backend.noteWriting(8);
    now.mock.mockImplementation(() => 13);
    assert.deepEqual(backend.takeLatencies(), [
      ['transform-response-object', 2],
      ['serialize-response-object', 3],
      ['response-write', 3],
    ]);
  });

  it('sends nothing where nothing is known', () => {
    const { backend, sent } = pair('RequestResponse');
    backend.begin();
    assert.deepEqual(sent, []);
  });

  it('joins the pieces of long objects', () => {
    const { gateway, backend, sent } = pair('RequestResponse');
    const long = Buffer.alloc(200_000, 'x');
    backend.noteRequest(long);
    backend.noteResponse(Buffer.from('{"a":'));
    backend.noteResponse(Buffer.from('1}\n'));
    assert.ok(long.equals(gateway.requestObject ?? Buffer.alloc(0)));
    assert.deepEqual([String(gateway.responseObject), sent.length], ['{"a":1}', 6]);
    gateway.forgetObjects();
    assert.deepEqual([gateway.requestObject, gateway.responseObject], [undefined, undefined]);
  });

  it('says that the body of the answer is its object', () => {
    const { backend, sent } = pair('RequestResponse');
    assert.deepEqual([backend.noteBody(), sent], [true, ['body']]);
  });
});
