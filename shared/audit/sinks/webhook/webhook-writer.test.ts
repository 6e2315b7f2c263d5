import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import {
  kubeconfigFor,
  startEventServer,
  type AnswerCall,
  type EventServer,
} from '#shared/audit/sinks/testing/event-server.ts';
import { dropCounts, someEvent, temporaryFolder } from '#shared/audit/sinks/testing/sink-rig.ts';
import { recordedEvents } from '#shared/audit/testing/recorded-events.ts';
import { WebhookWriter } from './webhook-writer.ts';

let folder: ReturnType<typeof temporaryFolder>;
let server: EventServer;
let file: string;
before(async () => {
  folder = temporaryFolder();
  file = join(folder.path, 'kubeconfig');
  server = await startEventServer();
});
after(async () => {
  await server.close();
  folder.remove();
});
beforeEach(() => {
  server.calls.length = 0;
  server.writeKubeconfig(file);
});

function writerOf(endMs = 10_000): { writer: WebhookWriter; drops: Record<string, number> } {
  const { counts, report } = dropCounts();
  const reportError = (message: string, error: unknown): never => assert.fail(`${message}: ${String(error)}`);
  return { writer: new WebhookWriter({ file, retryMs: 1, reportDrop: report, reportError, endMs }), drops: counts };
}

/** Writes two events; the server answers the calls in this order, and further ones by 200. */
async function write(
  ...answers: readonly AnswerCall[]
): Promise<{ isWritten: boolean; drops: Record<string, number> }> {
  const left = [...answers];
  server.answer = (response, call) => (left.shift() ?? ((last) => last.end()))(response, call);
  const { writer, drops } = writerOf();
  const isWritten = await writer.write(['a', 'b'].map((id) => writer.encode(someEvent(id))));
  await writer.close();
  return { isWritten, drops };
}

function code(status: number, headers: Record<string, string> = {}): AnswerCall {
  return (response) => response.writeHead(status, headers).end('no');
}

const cut: AnswerCall = (response) => response.destroy();
const written = { isWritten: true, drops: {} };
const failed = { isWritten: false, drops: { 'webhook write_failed': 2 } };

describe('WebhookWriter', () => {
  test('posts an EventList as the reference encodes it', async () => {
    const { writer } = writerOf();
    const events = recordedEvents();
    await writer.write(events.map(({ event }) => writer.encode(event)));
    await writer.close();
    const items = events.map(({ item }) => item).join(',');
    const [call] = server.calls;
    assert.equal(call?.body, `{"kind":"EventList","apiVersion":"audit.k8s.io/v1","metadata":{},"items":[${items}]}\n`);
    assert.equal(call.target, 'POST /events?timeout=30s');
    assert.equal(call.contentType, 'application/json');
  });

  test('tries again after any failure, five times in all', async () => {
    assert.deepEqual(await write(code(500), code(429), code(403), cut), written);
    assert.equal(server.calls.length, 5);
    server.calls.length = 0;
    assert.deepEqual(await write(code(500), code(503), code(400), cut, code(404)), failed);
    assert.equal(server.calls.length, 5);
    assert.deepEqual(
      server.calls.map(({ ids }) => ids.join()),
      Array.from({ length: 5 }, () => 'a,b'),
    );
  });

  test('follows no redirect to another server, and tries again instead', async () => {
    const elsewhere = await startEventServer();
    const away = code(302, { location: `${elsewhere.url}/events` });
    assert.deepEqual(await write(away, away, away, away, away), failed);
    assert.equal(elsewhere.calls.length, 0);
    await elsewhere.close();
  });

  test('does not read more of a large answer than it needs', async () => {
    const large: AnswerCall = (response) => response.end(Buffer.alloc(10 * 1024 * 1024, 'x'));
    assert.deepEqual(await write(large), written);
    assert.equal(server.calls.length, 1);
    server.calls.length = 0;
    const largeFault: AnswerCall = (response) => response.writeHead(500).end(Buffer.alloc(10 * 1024 * 1024, 'x'));
    assert.deepEqual(await write(largeFault), written);
    assert.equal(server.calls.length, 2);
  });

  test('does not mind what a successful answer says', async () => {
    const lie: AnswerCall = (response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"kind":"Status","code":500}');
    assert.deepEqual(await write(lie), written);
    assert.equal(server.calls.length, 1);
  });

  test('counts the events of a server that is away', async () => {
    const away = await startEventServer();
    await away.close();
    writeFileSync(file, kubeconfigFor(away.url));
    assert.deepEqual(await write(), failed);
  });

  test('gives up a server that hangs at the end', async () => {
    server.answer = () => undefined;
    const { writer, drops } = writerOf(50);
    const result = writer.write([writer.encode(someEvent('a'))]);
    writer.hurry();
    assert.equal(await result, false);
    await writer.close();
    assert.deepEqual(drops, { 'webhook closed': 1 });
  });
});
