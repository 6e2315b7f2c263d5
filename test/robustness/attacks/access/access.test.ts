import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { startCluster } from '#test/cluster.ts';
import type { Cluster } from '#test/cluster.ts';
import { sendRaw } from '#test/robustness/hostile/raw-connection.ts';
import { adminToken, writeTokens } from '#test/tokens.ts';
import { protocols } from './ask-path.ts';
import { forward } from './forwarded-paths.ts';
import { pathAnswers } from './path-answers.ts';
import { recordedQuestions } from './path-forms.ts';
import { preparePaths } from './path-rig.ts';
import { steal } from './stolen-decisions.ts';
import { tellHttp1, tellHttp2, type RawRequest } from './told-rights.ts';

// Nobody gets what another question was answered with, and a path means one thing. Expected is what the reference said
// (record.ts); what cannot be asked is a 400 here, where the reference ends the stream or answers as if it were a path.

const folder = mkdtempSync(join(tmpdir(), 'access-'));
const gen = (name: string): Buffer => readFileSync(join(import.meta.dirname, 'gen', name));
const recorded = JSON.parse(gen('answers.json').toString()) as { readonly thefts: object; readonly forwarded: object };

let cluster: Cluster;
before(async () => {
  cluster = await startCluster({ flags: ['--token-auth-file', writeTokens(folder)] });
});
after(async () => {
  await cluster.close();
  rmSync(folder, { recursive: true });
});

const asAdmin = (method: string, target: string, scheme = 'https'): RawRequest => ({
  method,
  target,
  token: adminToken,
  scheme,
});
const refused = { status: 400, message: '400 Bad Request' };

describe('request paths and methods under attack', () => {
  test('authorize and forward every spelling of a path as the reference does', async () => {
    const rig = await preparePaths([cluster.url]);
    try {
      const expected = JSON.parse(gunzipSync(gen('paths.json.gz')).toString()) as object;
      for (const protocol of protocols) {
        const answers = Object.fromEntries(await pathAnswers(cluster.url, recordedQuestions(), protocol));
        for (const [question, answer] of Object.entries(expected))
          assert.deepEqual(
            answers[question],
            protocol === 'HTTP/2' && / \/%api/.test(question) ? brokenEscapeInHttp2 : answer,
            `${protocol} ${question}`,
          );
        assert.equal(Object.keys(answers).length, Object.keys(expected).length);
      }
      assert.deepEqual(await forward(cluster.url), recorded.forwarded);
    } finally {
      rig.close();
    }
  });

  /** Recorded over HTTP/1.1; over HTTP/2 Go ends such a stream, which compare-paths.ts sees. */
  const brokenEscapeInHttp2 = { status: 0, text: 'reset with code 1' };

  test('answer 400 to unknown methods, targets, schemes and control characters over both protocols', async () => {
    for (const path of [
      '/%00',
      '/version%00',
      '/a%0ab',
      '/a%0Ab',
      '/a%1fb',
      '/a%7Fb',
      '/api/v1/namespaces/default/configmaps/a%00b',
      '/apis/apps/v1/%0d%0a',
    ]) {
      assert.deepEqual(
        [await tellHttp1(cluster.url, asAdmin('GET', path)), await tellHttp2(cluster.url, asAdmin('GET', path))],
        [refused, refused],
        path,
      );
    }
    for (const target of ['*', 'http://a', 'http://a?b', 'foo://a/version', 'CONNECT:443'])
      assert.deepEqual(await tellHttp1(cluster.url, asAdmin('GET', target)), refused, target);
    assert.deepEqual(await tellHttp1(cluster.url, asAdmin('CONNECT', 'a:443')), refused);
    // With these the protocol's library itself ends streams whose target has no slash, as Go's does.
    for (const scheme of ['http', 'HTTP', 'HTTPS'])
      assert.deepEqual(await tellHttp2(cluster.url, asAdmin('GET', '/version', scheme)), refused, scheme);
    for (const scheme of ['foo', 'ws']) {
      for (const target of ['/version', 'version', '%00secrets%00%00kube-system%00a', '*'])
        assert.deepEqual(await tellHttp2(cluster.url, asAdmin('GET', target, scheme)), refused, `${scheme} ${target}`);
    }
    for (const method of [
      'IMPERSONATE',
      'impersonate',
      'BIND',
      'escalate',
      'gEt',
      'FOO',
      'constructor',
      '__proto__',
      'toString',
    ]) {
      for (const path of ['/version', '/healthz', '/apis', '/apis/apps/v1', '/%61pi'])
        assert.deepEqual(
          [await tellHttp1(cluster.url, asAdmin(method, path)), await tellHttp2(cluster.url, asAdmin(method, path))],
          [refused, refused],
          `${method} ${path}`,
        );
    }
  });

  test('refuse raw control characters in a path', async () => {
    for (const character of ['\0', '\x01', '\t', '\x1f', '\x7f']) {
      const { status, text } = await sendRaw(cluster.url, `GET /a${character}b HTTP/1.1\r\nHost: a\r\n\r\n`);
      assert.ok(status === 400 && text.endsWith('400 Bad Request'), text);
      // The protocol's library ends the stream, as Go's does.
      assert.deepEqual(await tellHttp2(cluster.url, asAdmin('GET', `/a${character}b`)), { status: 0, message: '' });
    }
  });

  test('refuse broken escapes in a path and accept them in a query', async () => {
    for (const path of ['/%zz', '/%', '/%api/v1/pods']) {
      assert.deepEqual(await tellHttp1(cluster.url, asAdmin('GET', path)), refused, path);
      // As Go's HTTP/2 does.
      assert.deepEqual(await tellHttp2(cluster.url, asAdmin('GET', path)), { status: 0, message: '' }, path);
    }
    assert.equal((await tellHttp2(cluster.url, asAdmin('GET', '/version?a=%zz'))).status, 200);
  });

  test('answer 400 in the core and extensions servers as in the gateway', async () => {
    for (const server of ['core', 'extensions']) {
      for (const path of ['version', '*', '/%00', '/a%7f'])
        assert.equal(await askSocket(server, 'GET', path), 400, `${server} ${path}`);
      assert.equal(await askSocket(server, 'IMPERSONATE', '/version'), 400, server);
    }
  });

  test('never return the cached answer of another request', async () => {
    assert.deepEqual(await steal(cluster.url), recorded.thefts);
  });
});

function askSocket(server: string, method: string, path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        socketPath: join(cluster.dataDir, 'run', `${server}.sock`),
        method,
        path,
        headers: { 'x-remote-user': 'admin', 'x-remote-group': 'system:masters', connection: 'close' },
      },
      (answer) => {
        answer.resume();
        resolve(answer.statusCode ?? 0);
      },
    );
    outgoing.on('error', reject).end();
  });
}
