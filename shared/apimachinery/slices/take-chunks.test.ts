import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { describe, test, type TestContext } from 'node:test';
import { takeChunks } from './take-chunks.ts';

async function pair(t: TestContext): Promise<{ server: Socket; client: Socket }> {
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const accepted = once(listener, 'connection') as Promise<[Socket]>;
  const client = connect((listener.address() as AddressInfo).port, '127.0.0.1');
  const [server] = await accepted;
  t.after(() => {
    client.destroy();
    server.destroy();
    listener.close();
  });
  return { server, client };
}

describe('chunks of a socket', () => {
  test('are passed on in their order, with what the stream held before, until its end', async (t) => {
    const { server, client } = await pair(t);
    server.read(0);
    client.write('held ');
    await once(server, 'readable');
    let text = '';
    takeChunks(server, (chunk) => (text += chunk.toString()));
    server.resume();
    const ended = once(server, 'end');
    for (const word of ['one ', 'two ', 'three']) {
      client.write(word);
      await new Promise((resolve) => setImmediate(resolve));
    }
    client.end();
    await ended;
    assert.equal(text, 'held one two three');
  });

  test('are held back while the stream is paused', async (t) => {
    const { server, client } = await pair(t);
    let text = '';
    takeChunks(server, (chunk) => (text += chunk.toString()));
    server.pause();
    client.end('late');
    await once(client, 'finish');
    assert.equal(text, '');
    const ended = once(server, 'end');
    server.resume();
    await ended;
    assert.equal(text, 'late');
  });
});
