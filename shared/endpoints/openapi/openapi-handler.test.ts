import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Exchange, OutgoingHeaders } from '#shared/request/exchange.ts';
import type { RequestContext } from '#shared/request/request-context.ts';
import { OpenApiHandler, v2ProtobufType, type DocumentSource } from './openapi-handler.ts';

interface Answer {
  readonly status: number;
  readonly headers: OutgoingHeaders;
  readonly body: string;
}

const document = (text: string): { bytes: Buffer; etag: string } => ({ bytes: Buffer.from(text), etag: '"E"' });
const source = {
  v3Entries: () => new Map([['apis/apps/v1', '/openapi/v3/apis/apps/v1?hash=H1']]),
  v3Hash: (name: string) => (name === 'apis/apps/v1' || name === 'gone' ? 'H1' : undefined),
  v3: async (name: string) => (name === 'gone' ? undefined : document('{"openapi":"3.0.0"}')),
  v2: async () => document('{"swagger":"2.0"}'),
  v2Protobuf: async () => document('protobuf'),
} as unknown as DocumentSource;

/** What the handler answers to a GET of a path with these headers. */
async function answerTo(target: string, headers: Record<string, string> = {}): Promise<Answer> {
  const [path = '', query = ''] = target.split('?');
  const set: OutgoingHeaders = {};
  let answer: Answer | undefined;
  const exchange: Partial<Exchange> = {
    headers,
    setHeader: (name, value) => void (set[name] = value),
    send: (status, more, body = []) => {
      const text = Array.isArray(body) ? Buffer.concat(body as Uint8Array[]).toString() : String(body);
      answer = { status, headers: { ...set, ...more }, body: text };
    },
  };
  const context = { exchange, info: { path, query: new URLSearchParams(query) } } as unknown as RequestContext;
  const handler = new OpenApiHandler(source);
  if (path === '/openapi/v2') await handler.v2(context);
  else if (path === '/openapi/v3') handler.index(context);
  else await handler.v3(context);
  assert.ok(answer);
  return answer;
}

const v3 = '/openapi/v3/apis/apps/v1';

// As kube-openapi pkg/handler3/handler.go.
describe('OpenApiHandler below /openapi/v3/', () => {
  test('redirects an outdated hash to the current one', async () => {
    const { status, headers } = await answerTo(`${v3}?hash=old`);
    assert.equal(status, 301);
    assert.deepEqual(headers, {
      vary: 'Accept',
      location: `${v3}?hash=H1`,
      'content-type': 'application/json',
      etag: '"H1"',
    });
  });

  test('lets a document with its hash be cached for a year, and no other', async () => {
    const { status, headers, body } = await answerTo(`${v3}?hash=H1`);
    assert.deepEqual([status, body, headers['cache-control']], [200, '{"openapi":"3.0.0"}', 'public, immutable']);
    const days = (Date.parse(String(headers['expires'])) - Date.now()) / 86_400_000;
    assert.ok(days > 364.9 && days <= 365);
    const plain = await answerTo(v3);
    assert.deepEqual([plain.headers['cache-control'], plain.headers['expires']], [undefined, undefined]);
  });

  for (const [what, target, headers, status] of [
    ['an unknown document', '/openapi/v3/apis/none/v1', {}, 404],
    ['a document that went away', '/openapi/v3/gone', {}, 404],
    ['an Accept header without media types', v3, { accept: ',' }, 200],
    ['another media type', v3, { accept: 'text/html' }, 406],
    ['any application type', v3, { accept: 'application/*' }, 200],
    ['the tag that the client has', v3, { 'if-none-match': 'W/"a", "E"' }, 304],
    ['another tag', v3, { 'if-none-match': '"a"' }, 200],
  ] as const)
    test(`answers ${status} for ${what}`, async () => {
      const answer = await answerTo(target, headers);
      assert.equal(answer.status, status);
      if (status !== 200 || what.startsWith('an Accept')) assert.equal(answer.body, '');
    });
});

describe('OpenApiHandler at /openapi/v2', () => {
  test('answers JSON or protobuf, by either name of its media type', async () => {
    const json = await answerTo('/openapi/v2', { accept: 'application/json' });
    assert.deepEqual([json.status, json.body], [200, '{"swagger":"2.0"}']);
    assert.deepEqual([json.headers['etag'], json.headers['vary']], ['"E"', 'Accept-Encoding, Accept']);
    for (const accept of [v2ProtobufType, v2ProtobufType.replace('v2.v1.0', 'v2@v1.0')]) {
      const { body, headers } = await answerTo('/openapi/v2', { accept });
      assert.deepEqual([body, headers['content-type']], ['protobuf', v2ProtobufType]);
    }
    assert.equal((await answerTo('/openapi/v2', { accept: 'text/html' })).status, 406);
  });
});

describe('OpenApiHandler at /openapi/v3', () => {
  test('lists the documents with their hashes', async () => {
    const { status, headers, body } = await answerTo('/openapi/v3');
    assert.deepEqual([status, headers['content-type']], [200, 'text/plain; charset=utf-8']);
    assert.deepEqual(JSON.parse(body), {
      paths: { 'apis/apps/v1': { serverRelativeURL: `${v3}?hash=H1` } },
    });
  });
});
