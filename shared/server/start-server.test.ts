import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { connect, type ClientHttp2Session } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { toStatus, newNotFound } from '#shared/apimachinery/errors/status.ts';
import { encodeIdentity } from '#shared/authentication/hop-identity.ts';
import type { Authorizer } from '#shared/authorization/contract/authorizer.ts';
import { createLogger } from '#shared/observability/logger.ts';
import { unixListener } from '#shared/process/listeners/unix-listener.ts';
import type { ResponseStream } from '#shared/request/exchange.ts';
import type { RequestContext } from '#shared/request/request-context.ts';
import { HealthChecks } from './health.ts';
import { tlsListener } from './http/tls.ts';
import { resolveServerOptions } from './options/server-options.ts';
import { startServer, type RunningServer } from './start-server.ts';
import { createTestCa, type TestCa } from './testing/certificates.ts';

const folder = mkdtempSync(join(tmpdir(), 'server-'));
const socketPath = join(folder, 'internal.sock');
let ca: TestCa;
let server: RunningServer;
let session: ClientHttp2Session;
let watchStream: ResponseStream | undefined;
let sick = '';

/** Bob may do everything but impersonate and look at secrets. */
const authorizer: Authorizer = {
  authorize: ({ user, verb, resource }) => ({
    decision: user.name === 'bob' && !verb.includes('impersonate') && resource !== 'secrets' ? 'allow' : 'noOpinion',
    reason: '',
  }),
};

function writeError({ exchange }: RequestContext, error: unknown): void {
  const status = toStatus(error);
  exchange.send(status.code, { 'content-type': 'application/json' }, JSON.stringify(status));
}

function handle(context: RequestContext): void | Promise<void> {
  const { exchange, info, user } = context;
  if (info.verb === 'watch') {
    watchStream = exchange.stream(200, {});
    watchStream.write('event');
  } else if (info.name === 'broken') throw new TypeError('oops');
  else if (info.name === 'missing') return Promise.reject(newNotFound({ group: '', resource: 'pods' }, 'missing'));
  else if (info.name === 'slow') return;
  else {
    context.addWarning('be "careful"');
    exchange.send(200, {}, JSON.stringify({ user, path: info.path, impersonator: context.impersonator }));
  }
}

async function get(
  path: string,
  headers: Record<string, string | string[]> = {},
): Promise<{ status: number; headers: Record<string, unknown>; text: string }> {
  const stream = session.request({ ':path': path, authorization: 'Bearer bob', ...headers });
  const [answered] = await once(stream, 'response');
  let text = '';
  for await (const chunk of stream) text += String(chunk);
  return { status: Number(answered[':status']), headers: answered, text };
}

describe('startServer', () => {
  // Begun with this group: beside the other tests of the process, the server would close a session that waits.
  before(async () => {
    ca = await createTestCa();
    const health = new HealthChecks();
    health.add({ name: 'etcd', check: () => sick });
    server = await startServer({
      name: 'test',
      options: resolveServerOptions({ requestTimeout: 60_000, shutdownWatchTerminationGracePeriod: 1_000 }),
      handler: handle,
      health,
      logger: createLogger({ level: 0, format: 'text', write: () => undefined }),
      listeners: [
        tlsListener({ host: '127.0.0.1', port: 0, ...(await ca.issue('CN=server')) }),
        unixListener(socketPath),
      ],
      chain: {
        authorizer,
        apiAudiences: [],
        writeError,
        authenticator: {
          authenticate: ({ headers }) =>
            headers['authorization'] === 'Bearer bob'
              ? { user: { name: 'bob', uid: '', groups: [], extra: {} } }
              : undefined,
        },
      },
      postStartHooks: { 'make-things': () => Promise.resolve() },
    });
    session = connect(`https://127.0.0.1:${server.listeners[0]?.port}`, { ca: ca.cert });
  });

  after(() => rmSync(folder, { recursive: true }));

  test('sends a request through the chain to the handler', async () => {
    const answer = await get('/api/v1/pods', {
      'audit-id': 'my-id',
      'x-remote-user': 'admin',
      'x-remote-group': 'system:masters',
    });
    assert.equal(answer.status, 200);
    assert.deepEqual(JSON.parse(answer.text).user.name, 'bob');
    assert.equal(answer.headers['audit-id'], 'my-id');
    assert.equal(answer.headers['cache-control'], 'no-cache, private');
    assert.equal(answer.headers['warning'], '299 - "be \\"careful\\""');
  });

  test('answers a thrown error with its Status', async () => {
    assert.equal((await get('/api/v1/namespaces/a/pods/missing')).status, 404);
    const broken = await get('/api/v1/namespaces/a/pods/broken');
    assert.deepEqual([broken.status, JSON.parse(broken.text).message], [500, 'oops']);
  });

  test("answers 403 with the reference's message to an unauthorized request", async () => {
    const answer = await get('/api/v1/namespaces/x/secrets');
    assert.deepEqual(JSON.parse(answer.text), {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      reason: 'Forbidden',
      code: 403,
      details: { kind: 'secrets' },
      message: 'secrets is forbidden: User "bob" cannot list resource "secrets" in API group "" in the namespace "x"',
    });
    assert.equal(answer.headers['x-content-type-options'], 'nosniff');
  });

  test('answers impersonation with 403 and the constrained verb, and with 400 when it names no user', async () => {
    const answer = await get('/api/v1/namespaces/c11/configmaps', { 'impersonate-user': 'admin' });
    assert.equal(
      JSON.parse(answer.text).message,
      'configmaps is forbidden: User "bob" cannot impersonate-on:user-info:list resource "configmaps" in API group "" in the namespace "c11"',
    );
    const nameless = await get('/api/v1/pods', { 'impersonate-group': ['x'] });
    assert.equal(
      JSON.parse(nameless.text).message,
      'requested &user.DefaultInfo{Name:"", UID:"", Groups:[]string{"x"}, Extra:map[string][]string(nil)} without impersonating a user name',
    );
  });

  test('serves health with every check, a path of each, and exclusions', async () => {
    assert.equal((await get('/readyz')).text, 'ok');
    assert.equal(
      (await get('/readyz?verbose&exclude=nope&exclude=log')).text,
      '[+]ping ok\n[+]log excluded: ok\n[+]etcd ok\n[+]poststarthook/make-things ok\n[+]shutdown ok\n' +
        'warn: some health checks cannot be excluded: no matches for "nope"\nreadyz check passed\n',
    );
    sick = 'no connection';
    const failed = await get('/livez');
    assert.deepEqual(
      [failed.status, failed.text],
      [
        500,
        '[+]ping ok\n[+]log ok\n[-]etcd failed: reason withheld\n[+]poststarthook/make-things ok\nlivez check failed\n',
      ],
    );
    assert.equal((await get('/livez/etcd')).text, 'internal server error: no connection\n');
    sick = '';
  });

  test('lists the registered paths at /', async () => {
    const { paths } = JSON.parse((await get('/')).text);
    assert.ok(paths.includes('/readyz/etcd') && paths.includes('/version') && !paths.includes('/livez/shutdown'));
    assert.equal(JSON.parse((await get('/version')).text).gitVersion, 'v1.36.3');
  });

  test('answers 504 to a request that takes longer than its timeout parameter', async () => {
    const answer = await get('/api/v1/namespaces/a/pods/slow?timeout=50ms');
    assert.deepEqual(
      [answer.status, JSON.parse(answer.text).message],
      [504, 'Timeout: request did not complete within the allotted timeout'],
    );
    assert.equal(
      JSON.parse((await get('/api/v1/pods?timeout=abc')).text).message,
      'invalid timeout specified in the request URL - time: invalid duration "abc"',
    );
  });

  test('believes identity headers on the internal listener only', async () => {
    const user = { name: 'zoë', uid: '1', groups: ['a,b', 'c'], extra: { 'k/x': ['v'] } };
    const raw = encodeIdentity(user, { name: 'imp', uid: '', groups: [], extra: {} });
    const headers: Record<string, string | string[]> = {};
    for (let at = 0; at < raw.length; at += 2) {
      const name = raw[at] ?? '';
      const present = headers[name] ?? [];
      headers[name] = [...(typeof present === 'string' ? [present] : present), raw[at + 1] ?? ''];
    }
    const outgoing = httpRequest({ socketPath, path: '/api/v1/pods', headers, agent: false });
    outgoing.end();
    const [incoming] = await once(outgoing, 'response');
    let text = '';
    for await (const chunk of incoming) text += String(chunk);
    const seen = JSON.parse(text);
    assert.deepEqual(seen.user, user);
    assert.equal(seen.impersonator.name, 'imp');
  });

  test('answers 401 to a request without a valid credential', async () => {
    const answer = await get('/api/v1/pods', { authorization: 'Bearer x' });
    assert.deepEqual([answer.status, JSON.parse(answer.text).message], [401, 'Unauthorized']);
    session = connect(`https://127.0.0.1:${server.listeners[0]?.port}`, { ca: ca.cert });
  });

  test('ends watches and closes the listeners at shutdown', async () => {
    const stream = session.request({ ':path': '/api/v1/pods?watch=1', authorization: 'Bearer bob' });
    await once(stream, 'response');
    let text = '';
    stream.on('data', (chunk) => (text += String(chunk)));
    const ended = once(stream, 'end');
    await server.shutdown();
    await ended;
    assert.equal(text, 'event');
    assert.ok(server.lifecycle.has('ConnectionsClosed'));
  });
});
