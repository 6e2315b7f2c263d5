import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { createTestCa, type TestCa } from '#shared/server/testing/certificates.ts';
import { webhookAnswer } from './client-answer.ts';
import { webhookTarget } from './client-config.ts';
import { WebhookCallError } from './webhook-call-error.ts';
import { WebhookClient } from './webhook-client.ts';

interface Recorded {
  readonly answers: readonly {
    readonly code: number;
    readonly contentType: string;
    readonly body: string;
    readonly error?: string;
  }[];
  readonly calls: readonly { readonly name: string; readonly error: string }[];
}

const recorded = JSON.parse(readFileSync(new URL('testdata/answers.json', import.meta.url), 'utf8')) as Recorded;

function errorOf(call: () => unknown): string | undefined {
  try {
    call();
    return undefined;
  } catch (error) {
    assert.ok(error instanceof WebhookCallError);
    return error.message;
  }
}

describe('webhookAnswer', () => {
  test('words answers that are errors, or empty, as upstream does', () => {
    const refused = recorded.answers.filter(
      ({ code, body }) => code < 200 || code > 206 || body === '' || code === 204,
    );
    for (const { code, contentType, body, error } of refused) {
      const sent = code === 204 || code === 304 ? '' : body;
      const headers = contentType === '' ? {} : { 'content-type': contentType };
      assert.equal(
        errorOf(() => webhookAnswer({ status: code, headers, body: Buffer.from(sent) })),
        error,
      );
    }
    assert.ok(refused.length > 40);
  });
});

describe('WebhookClient', () => {
  let ca: TestCa;
  let server: Server;
  let port = 0;
  let serve: RequestListener = (_request, response) => response.end('{}');
  const client = new WebhookClient({
    resolve: ({ name }) =>
      name === 's' ? Promise.resolve(`127.0.0.1:${port}`) : Promise.reject(new Error('service "gone" not found')),
  });
  const config = (more: JsonObject): JsonObject => ({ caBundle: Buffer.from(ca.cert).toString('base64'), ...more });
  const failure = async (clientConfig: JsonObject, timeoutMs = 10_000): Promise<string> => {
    const call = client.call(webhookTarget(clientConfig), '{}', { timeoutMs });
    const error: unknown = await call.then(
      () => assert.fail('the call fails'),
      (reason: unknown) => reason,
    );
    assert.ok(error instanceof WebhookCallError);
    return error.message.replaceAll(String(port), 'PORT');
  };
  const upstream = (name: string): string | undefined => recorded.calls.find((call) => call.name === name)?.error;

  before(async () => {
    ca = await createTestCa();
    const { cert, key } = await ca.issue('CN=s', 'server', undefined, 's.n.svc');
    server = createServer({ cert, key }, (request, response) => serve(request, response));
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    ({ port } = server.address() as AddressInfo);
  });
  after(() => {
    client.close();
    server.closeAllConnections();
    server.close();
  });

  test('posts a body to a Service with its path, its name and the timeout', async () => {
    const seen: unknown[] = [];
    serve = (request, response) => {
      let text = '';
      request.on('data', (chunk: Buffer) => (text += chunk.toString()));
      request.on('end', () => {
        const { host, accept, 'content-type': type, 'user-agent': agent } = request.headers;
        seen.push([request.method, request.url, host, accept, type, agent, text]);
        response.end('{"a":1}');
      });
    };
    const target = webhookTarget(config({ service: { namespace: 'n', name: 's', path: '/a/b/' } }));
    assert.equal((await client.call(target, '{"b":2}', { timeoutMs: 2500 })).toString(), '{"a":1}');
    assert.deepEqual(seen, [
      [
        'POST',
        '/a/b?timeout=3s',
        's.n.svc:443',
        'application/json, */*',
        'application/json',
        'kube-apiserver-admission',
        '{"b":2}',
      ],
    ]);
  });

  test('keeps connections, and answers a call while another hangs', async () => {
    const ports = new Set<number | undefined>();
    serve = (request, response) => {
      ports.add(request.socket.remotePort);
      if (request.url?.startsWith('/hang') === false) response.end('{}');
    };
    const url = (path: string): JsonObject => config({ url: `https://127.0.0.1:${port}/${path}` });
    for (let i = 0; i < 5; i++) await client.call(webhookTarget(url('a')), '{}', { timeoutMs: 1000 });
    assert.ok(ports.size <= 2, `${ports.size} connections`);
    const hanging = failure(url('hang'), 100);
    await client.call(webhookTarget(url('a')), '{}', { timeoutMs: 1000 });
    assert.equal(await hanging, upstream('hang')?.replace('/a?', '/hang?'));
  });

  test('words servers that cannot be reached as upstream does', async () => {
    const url = `https://127.0.0.1:${port}/a`;
    serve = (request) => request.socket.destroy();
    assert.equal(await failure(config({ url })), upstream('close'));
    assert.equal(await failure({ url }), upstream('unknown authority'));
    assert.equal(
      await failure(config({ service: { namespace: 'other', name: 's', path: '/p' } })),
      upstream('other name')
        ?.replace('example.com, *.example.com', 's.n.svc')
        .replaceAll('not s.n.svc', 'not s.other.svc')
        .replace('//s.n.svc', '//s.other.svc'),
    );
    assert.equal(
      await failure(config({ service: { namespace: 'n', name: 'gone', path: '/p' } })),
      upstream('no service')?.replace('//s.', '//gone.').replace('service "s"', 'service "gone"'),
    );
    assert.equal(await failure({ url, caBundle: 'eA==' }), upstream('broken bundle'));
    assert.equal(`failed calling webhook "w": ${errorOf(() => webhookTarget({}))}`, upstream('no place'));
    const closed = createServer();
    await new Promise<void>((listening) => closed.listen(0, '127.0.0.1', listening));
    const free = (closed.address() as AddressInfo).port;
    await new Promise((ended) => closed.close(ended));
    assert.equal(
      (await failure(config({ url: `https://127.0.0.1:${free}/a` }))).replaceAll(String(free), 'PORT'),
      upstream('refused'),
    );
  });

  test('follows no redirect, and ends answers that are too long and calls that the caller ends', async () => {
    serve = (_request, response) => response.writeHead(302, { location: `https://127.0.0.1:${port}/b` }).end();
    const target = webhookTarget(config({ url: `https://127.0.0.1:${port}/a` }));
    await assert.rejects(client.call(target, '{}', { timeoutMs: 1000 }), /status code 302/);
    serve = (_request, response) => response.end('x'.repeat(100));
    await assert.rejects(client.call(target, '{}', { timeoutMs: 1000, maxBytes: 99 }), /longer than 99 bytes/);
    serve = () => undefined;
    const signal = AbortSignal.timeout(20);
    await assert.rejects(
      client.call(target, '{}', { timeoutMs: 10_000, signal }),
      (error) => error instanceof WebhookCallError && error.details.isAborted === true,
    );
  });
});
