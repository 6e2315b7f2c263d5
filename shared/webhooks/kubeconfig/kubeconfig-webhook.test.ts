import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import type { TLSSocket } from 'node:tls';
import { StatusError } from '#shared/apimachinery/errors/status.ts';
import type { KubeconfigTarget } from '#shared/configuration/kubeconfig.ts';
import { createTestCa, type TestCa } from '#shared/server/testing/certificates.ts';
import { FreshConnection } from './fresh-connection.ts';
import { KubeconfigWebhook } from './kubeconfig-webhook.ts';

interface Answer {
  readonly code: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

let ca: TestCa;
let server: Server;
let answers: Answer[];
let requests: string[];

function target(headers: Record<string, string> = {}): KubeconfigTarget {
  const { port } = server.address() as AddressInfo;
  const url = `https://localhost:${port}/review`;
  return { server: url, caBundle: Buffer.from(ca.cert), isInsecure: false, tlsServerName: '', user: { headers } };
}

function answer({ method, url, headers, socket }: IncomingMessage, response: ServerResponse): void {
  const client = (socket as TLSSocket).getPeerCertificate().subject?.CN ?? 'nobody';
  requests.push(`${method} ${url} ${String(client)} ${headers.authorization ?? '-'}`);
  const { code, headers: sent = {}, body = '{}' } = answers.shift() ?? { code: 200 };
  // Code 0 stands for an answer that never comes.
  if (code > 0) response.writeHead(code, sent).end(body);
}

before(async () => {
  ca = await createTestCa();
  const served = await ca.issue('CN=webhook');
  server = createServer({ ...served, ca: ca.cert, requestCert: true, rejectUnauthorized: false }, answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

after(() => {
  server.closeAllConnections();
  server.close();
});

/** The codes of all attempts, and the error of the last one. */
async function post(...given: Answer[]): Promise<{ codes: number[]; fault: unknown }> {
  [answers, requests] = [given, []];
  const codes: number[] = [];
  const webhook = new KubeconfigWebhook({ read: target, reportError: () => {}, retryMs: 0 });
  const onAttempt = (code: number): void => void codes.push(code);
  const fault: unknown = await webhook.post('{}', { onAttempt }).then(
    () => undefined,
    (error: unknown) => error,
  );
  webhook.close();
  return { codes, fault };
}

// What is tried again: DefaultShouldRetry in apiserver/pkg/util/webhook, and the times in its documentation.
describe('KubeconfigWebhook', () => {
  test('sends the review with the time of an attempt', async () => {
    const { codes, fault } = await post({ code: 201 });
    assert.deepEqual([codes, fault, requests], [[201], undefined, ['POST /review?timeout=30s nobody -']]);
  });

  test('tries again, five times in all, after 429, 500, 502 and 504', async () => {
    assert.deepEqual(
      (await post({ code: 500 }, { code: 504 }, { code: 502 }, { code: 429 })).codes,
      [500, 504, 502, 429, 200],
    );
    const { codes, fault } = await post(...Array.from({ length: 6 }, () => ({ code: 500, body: 'no' })));
    assert.deepEqual(codes, [500, 500, 500, 500, 500]);
    assert.match(String(fault), /an error on the server \("no"\) has prevented the request from succeeding/);
  });

  test('does not try again after other errors, but passes on a Status', async () => {
    for (const code of [302, 400, 401, 503]) assert.deepEqual((await post({ code })).codes, [code]);
    const body = '{"kind":"Status","apiVersion":"v1","status":"Failure","message":"go away","code":403}';
    const { fault } = await post({ code: 403, body });
    assert.ok(fault instanceof StatusError);
    assert.deepEqual([fault.code, fault.message], [403, 'go away']);
  });

  test('refuses a certificate of another authority', async () => {
    const foreign = await createTestCa();
    const webhook = new KubeconfigWebhook({
      read: () => ({ ...target(), caBundle: Buffer.from(foreign.cert) }),
      reportError: () => {},
      retryMs: 0,
    });
    await assert.rejects(webhook.post('{}'), /certificate signed by unknown authority/);
    webhook.close();
  });
});

describe('KubeconfigWebhook with a server that hangs', () => {
  test('answers other calls meanwhile, and ends a call with its signal', async () => {
    const webhook = new KubeconfigWebhook({ read: target, reportError: () => {}, retryMs: 0 });
    [answers, requests] = [[{ code: 0 }, { code: 200 }], []];
    const ending = new AbortController();
    const hanging = webhook.post('{}', { signal: ending.signal });
    while (requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
    assert.equal((await webhook.post('{}')).status, 200);
    ending.abort(new Error('the request is over'));
    await assert.rejects(hanging, /the request is over/);
    webhook.close();
  });
});

describe('FreshConnection', () => {
  test('takes over files that changed after a second, and keeps those in effect while they are broken', async () => {
    const reports: unknown[] = [];
    let read = (): KubeconfigTarget => target({ authorization: 'Bearer one' });
    const connection = new FreshConnection({ read: () => read(), reportError: (error) => reports.push(error) });
    const tokenAt = async (ms: number): Promise<unknown> => {
      const opened = await connection.open(performance.now() + ms);
      return opened.target.user.headers['authorization'];
    };
    read = () => target({ authorization: 'Bearer two' });
    assert.equal(await tokenAt(0), 'Bearer one');
    assert.equal(await tokenAt(1100), 'Bearer two');
    read = () => {
      throw new Error('half written');
    };
    assert.equal(await tokenAt(2200), 'Bearer two');
    assert.equal(await tokenAt(3300), 'Bearer two');
    assert.equal(reports.length, 1);
    const { cert } = await ca.issue('CN=first');
    const { key } = await ca.issue('CN=second');
    const certificate = { cert: Buffer.from(cert), key: Buffer.from(key) };
    read = () => ({ ...target(), user: { certificate, headers: {} } });
    assert.equal(await tokenAt(4400), 'Bearer two');
    connection.close();
  });
});
