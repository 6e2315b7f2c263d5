import assert from 'node:assert/strict';
import type { IncomingMessage, RequestListener } from 'node:http';
import { createServer, type Server } from 'node:https';
import { connect, type AddressInfo } from 'node:net';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { createTestCa, type TestCa } from '#shared/server/testing/certificates.ts';
import { ProviderClient } from './provider-client.ts';

let ca: TestCa;
let server: Server;
let port: number;
let origin: string;
let answer: RequestListener;
let seen: IncomingMessage[];
let client: ProviderClient;

describe('ProviderClient', () => {
  before(async () => {
    ca = await createTestCa();
    server = createServer(await ca.issue('CN=provider'), (request, response) => {
      seen.push(request);
      answer(request, response);
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    port = (server.address() as AddressInfo).port;
    origin = `https://localhost:${port}`;
  });
  after(() => server.close());
  beforeEach(() => {
    seen = [];
    answer = (_, response) => response.end('body');
    client = new ProviderClient({ certificateAuthority: ca.cert });
  });
  afterEach(() => client.close());

  test('gets a document with the headers that it is given', async () => {
    const { status, body } = await client.get(`${origin}/a`, { authorization: 'Bearer b' });
    assert.deepEqual([status, body], [200, 'body']);
    assert.deepEqual([seen[0]?.url, seen[0]?.headers.authorization], ['/a', 'Bearer b']);
  });

  test('asks no server that it does not trust', async () => {
    const other = new ProviderClient({ certificateAuthority: (await createTestCa()).cert });
    await assert.rejects(other.get(`${origin}/a`), /^Error: Get "https:.*\/a": /);
    other.close();
    assert.equal(seen.length, 0);
  });

  test('follows redirects, and takes a credential to the same host only', async () => {
    answer = ({ url }, response) => {
      const location = url === '/a' ? '/b' : url === '/b' ? `https://127.0.0.1:${port}/c` : undefined;
      if (location === undefined) response.end();
      else response.writeHead(302, { location }).end();
    };
    await client.get(`${origin}/a`, { authorization: 'Bearer b' });
    assert.deepEqual(
      seen.map(({ url, headers }) => [url, headers.authorization]),
      [
        ['/a', 'Bearer b'],
        ['/b', 'Bearer b'],
        ['/c', undefined],
      ],
    );
  });

  test('refuses addresses and redirects without TLS', async () => {
    const refused = { message: 'Get "http://a.example/": keys and claims are only taken from https addresses' };
    await assert.rejects(client.get('http://a.example/'), refused);
    answer = (_, response) => response.writeHead(302, { location: 'http://a.example/' }).end();
    await assert.rejects(client.get(origin), refused);
  });

  test('ends redirects in a circle', async () => {
    answer = (_, response) => response.writeHead(302, { location: '/' }).end();
    await assert.rejects(client.get(origin), /stopped after 10 redirects/);
    assert.equal(seen.length, 11);
  });

  test('ends an answer that is too long', async () => {
    answer = (_, response) => response.end('a'.repeat(1024 * 1024 + 1));
    await assert.rejects(client.get(origin), /the answer has more than 1048576 bytes/);
  });

  test('ends a call that takes too long, or that is under way when it closes', async () => {
    answer = () => undefined;
    const hasty = new ProviderClient({ certificateAuthority: ca.cert, timeoutMs: 20 });
    await assert.rejects(hasty.get(origin), /timeout/);
    hasty.close();
    const asked = client.get(origin);
    client.close();
    await assert.rejects(asked, /context canceled/);
  });

  test('reaches the provider by the connection that it is given', async () => {
    const dialed: string[] = [];
    const egress = new ProviderClient({
      certificateAuthority: ca.cert,
      dial(host, to) {
        dialed.push(`${host}:${to}`);
        return Promise.resolve(connect(port, '127.0.0.1'));
      },
    });
    for (const host of ['localhost', '127.0.0.1']) assert.equal((await egress.get(`https://${host}/a`)).body, 'body');
    await assert.rejects(egress.get('https://other.example/a'), /altnames/);
    egress.close();
    assert.deepEqual(dialed, ['localhost:443', '127.0.0.1:443', 'other.example:443']);
  });
});
