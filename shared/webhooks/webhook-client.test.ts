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
import { OwnServer } from './own-server.ts';
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

interface RecordedClients {
  readonly exchanges: readonly {
    readonly answers: readonly {
      readonly code: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string;
    }[];
    readonly requests: readonly string[];
    readonly error?: string;
  }[];
}

function read(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`testdata/${name}`, import.meta.url), 'utf8'));
}

const recorded = read('answers.json') as Recorded;
const { exchanges } = read('clients.json') as RecordedClients;

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
  let served: string;
  let server: Server;
  let port = 0;
  /** Where nobody listens. */
  let free = 0;
  let serve: RequestListener = (_request, response) => response.end('{}');
  const client = new WebhookClient({
    resolve: ({ name }) =>
      name === 'gone'
        ? Promise.reject(new Error('service "gone" not found'))
        : Promise.resolve(`127.0.0.1:${name === 'dead' ? free : port}`),
    ownServer: new OwnServer({
      socket: '/nowhere/gateway.sock',
      headers: {},
      distant: {
        addresses: () => Promise.resolve([]),
        certFile: '',
        keyFile: '',
        servingCertFile: '',
        caFile: '',
      },
    }),
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
    served = cert;
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

  test('trusts a caBundle that holds the served certificate instead of its authority', async () => {
    serve = (_request, response) => response.end('{}');
    const caBundle = Buffer.from(served).toString('base64');
    const target = webhookTarget({ url: `https://127.0.0.1:${port}/a`, caBundle });
    assert.equal((await client.call(target, '{}', { timeoutMs: 1000 })).toString(), '{}');
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
    free = (closed.address() as AddressInfo).port;
    await new Promise((ended) => closed.close(ended));
    assert.equal(
      (await failure(config({ url: `https://127.0.0.1:${free}/a` }))).replaceAll(String(free), 'PORT'),
      upstream('refused'),
    );
    // No other endpoint is tried.
    assert.equal(
      (await failure(config({ service: { namespace: 'n', name: 'dead', path: '/p' } }))).replaceAll(
        String(free),
        'PORT',
      ),
      upstream('refused service')?.replace('//s.', '//dead.'),
    );
  });

  test('sends the requests that upstream sends after redirects and answers that ask to wait', async () => {
    const url = `https://127.0.0.1:${port}/a`;
    const named = (text: string): string => text.replaceAll('PORT', String(port));
    const play = async ({ answers, requests, error }: (typeof exchanges)[number]): Promise<void> => {
      const seen: string[] = [];
      serve = (request, response) => {
        let length = 0;
        request.on('data', (chunk: Buffer) => (length += chunk.length));
        request.on('end', () => {
          const { code, headers = {}, body = '{}' } = answers[Math.min(seen.length, answers.length - 1)] ?? { code: 0 };
          seen.push(`${request.method} ${request.url} ${request.headers.referer ?? ''} ${length > 0}`);
          for (const [name, value] of Object.entries(headers)) response.setHeader(name, named(value));
          response.writeHead(code, { 'content-type': 'application/json' }).end(code === 304 ? '' : body);
        });
      };
      // A body that is no review is a matter of who decodes it.
      const want = error?.startsWith("couldn't get version/kind") === true ? undefined : error;
      const have = await client.call(webhookTarget(config({ url })), '{}', { timeoutMs: 1000 }).then(
        () => undefined,
        (reason: Error) => reason.message,
      );
      assert.deepEqual([seen, have], [requests.map(named), want === undefined ? undefined : named(want)]);
    };
    for (const exchange of exchanges.filter(({ error }) => error?.includes('deadline') !== true)) await play(exchange);
  });

  test('follows no redirect to another server', async () => {
    const url = `https://127.0.0.1:${port}/a`;
    for (const location of [`https://localhost:${port}/b`, `http://127.0.0.1:${port}/b`, '//example.com/b']) {
      serve = (_request, response) => response.writeHead(307, { location }).end();
      assert.equal(
        await failure(config({ url })),
        'the server responded with the status code 307 but did not return more information',
      );
    }
  });

  test('waits no longer than its time for the next attempt', async () => {
    serve = (_request, response) => response.writeHead(503, { 'retry-after': '60' }).end();
    const url = `https://127.0.0.1:${port}/a`;
    const want = exchanges.find(({ error }) => error?.includes('deadline') === true)?.error;
    assert.equal(await failure(config({ url }), 50), want);
  });

  test('words answers that break off as upstream does', async () => {
    const url = `https://127.0.0.1:${port}/a`;
    const inBody = 'unexpected error when reading response body. Please retry. Original error: ';
    const begin: RequestListener = (_request, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('{');
    };
    serve = begin;
    assert.equal(await failure(config({ url }), 50), `${inBody}context deadline exceeded`);
    serve = (request, response) => {
      begin(request, response);
      setTimeout(() => response.destroy(), 5);
    };
    assert.equal(await failure(config({ url })), `${inBody}unexpected EOF`);
  });

  test('ends answers that are too long and calls that the caller ends', async () => {
    const target = webhookTarget(config({ url: `https://127.0.0.1:${port}/a` }));
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
