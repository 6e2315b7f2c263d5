import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { connect } from 'node:tls';
import { dialer } from '#shared/process/link/dial.ts';
import { ReloadedFiles } from '#shared/process/link/reloaded-files.ts';
import type { Listener } from '#shared/server/exchange/listener.ts';
import { backendServerName } from '#shared/server/options/backend-address.ts';
import { createTestCa, type TestCa, type TestCertificate } from '#shared/server/testing/certificates.ts';
import { listenMutualTls } from './mutual-tls-listener.ts';

const folder = mkdtempSync(join(tmpdir(), 'mutual-tls-'));
let ca: TestCa;
let listener: Listener;
let files: ReloadedFiles<'ca' | 'cert' | 'key'>;
before(async () => {
  ca = await createTestCa();
  files = written('backend', ca, await ca.issue('CN=quarterdeck-backend', 'server', undefined, backendServerName));
  listener = await listenMutualTls(
    { host: '127.0.0.1', port: 0, files, allowedNames: ['front-proxy-client'] },
    (exchange) => exchange.send(200, {}, exchange.trust),
  );
});
after(() => {
  listener.destroy();
  rmSync(folder, { recursive: true, force: true });
});

function written(
  name: string,
  authority: Pick<TestCa, 'cert'>,
  pair: TestCertificate,
): ReloadedFiles<'ca' | 'cert' | 'key'> {
  const paths = {
    ca: join(folder, `${name}-ca.crt`),
    cert: join(folder, `${name}.crt`),
    key: join(folder, `${name}.key`),
  };
  writeFileSync(paths.ca, authority.cert);
  writeFileSync(paths.cert, pair.cert);
  writeFileSync(paths.key, pair.key);
  return new ReloadedFiles(paths);
}

/** What a gateway with these credentials gets; the text of an answer, or that there is none. */
async function ask(credentials: ReloadedFiles<'ca' | 'cert' | 'key'>, port = listener.port): Promise<string> {
  const dial = dialer({ kind: 'tcp', host: '127.0.0.1', port }, credentials);
  const request = httpRequest({ createConnection: () => dial(), path: '/', headers: { host: 'localhost' } });
  request.end();
  try {
    const [response] = (await once(request, 'response')) as [NodeJS.ReadableStream];
    let text = '';
    for await (const chunk of response) text += String(chunk);
    return text;
  } catch {
    return 'no answer';
  } finally {
    credentials.close();
  }
}

describe('listenMutualTls', () => {
  test("serves a gateway with the front proxy's certificate as internal", async () => {
    assert.equal(await ask(written('gateway', ca, await ca.issue('CN=front-proxy-client', 'client'))), 'internal');
  });

  test('refuses client certificates of another name, another authority or for servers', async () => {
    const other = await createTestCa('CN=other-ca');
    assert.equal(await ask(written('wrong-name', ca, await ca.issue('CN=somebody', 'client'))), 'no answer');
    assert.equal(await ask(written('wrong-use', ca, await ca.issue('CN=front-proxy-client', 'server'))), 'no answer');
    const foreign = await other.issue('CN=front-proxy-client', 'client');
    assert.equal(await ask(written('wrong-ca', ca, foreign)), 'no answer');
    const twin = await createTestCa();
    assert.equal(await ask(written('same-name', ca, await twin.issue('CN=front-proxy-client', 'client'))), 'no answer');
    assert.equal(await ask(written('self-issued', ca, twin)), 'no answer');
  });

  test('refuses an expired client certificate', async () => {
    const hourAgo = new Date(Date.now() - 3_600_000);
    assert.equal(
      await ask(written('late', ca, await ca.issue('CN=front-proxy-client', 'client', hourAgo))),
      'no answer',
    );
  });

  test('answers nothing to a connection without a certificate, even to data sent with the handshake', async () => {
    const socket = connect({
      host: '127.0.0.1',
      port: listener.port,
      rejectUnauthorized: false,
      ALPNProtocols: ['http/1.1'],
    });
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    const received: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => received.push(chunk));
    socket.on('error', () => undefined);
    await new Promise((resolve) => socket.on('close', resolve));
    assert.equal(Buffer.concat(received).toString(), '');
  });

  test('serves gateways of two authorities with the same subject', async () => {
    const first = await createTestCa('CN=shared-name');
    const second = await createTestCa('CN=shared-name');
    const certificate = await second.issue('CN=quarterdeck-backend', 'server', undefined, backendServerName);
    const both = written('both', { cert: `${first.cert}\n${second.cert}` }, certificate);
    const two = await listenMutualTls({ host: '127.0.0.1', port: 0, files: both, allowedNames: [] }, (exchange) =>
      exchange.send(200, {}, exchange.trust),
    );
    try {
      for (const [name, authority] of [
        ['of-first', first],
        ['of-second', second],
      ] as const) {
        assert.equal(
          await ask(written(name, second, await authority.issue('CN=front-proxy-client', 'client')), two.port),
          'internal',
          name,
        );
      }
    } finally {
      two.destroy();
    }
  });
});

describe('dialer', () => {
  test('refuses a backend whose certificate is of another authority', async () => {
    const other = await createTestCa('CN=other-ca');
    assert.equal(await ask(written('careful', other, await ca.issue('CN=front-proxy-client', 'client'))), 'no answer');
  });
});

describe('listenMutualTls with ReloadedFiles', () => {
  test('accepts a renewed certificate and authority without a restart', async () => {
    const next = await createTestCa('CN=next-ca');
    const gateway = await next.issue('CN=front-proxy-client', 'client');
    assert.equal(await ask(written('early', next, gateway)), 'no answer');
    written(
      'backend',
      next,
      await next.issue('CN=quarterdeck-backend', 'server', undefined, backendServerName),
    ).close();
    files.refresh();
    assert.equal(await ask(written('renewed', next, gateway)), 'internal');
  });
});
