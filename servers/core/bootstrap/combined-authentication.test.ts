import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  clusterAuthenticationData,
  type ClusterAuthenticationInfo,
} from '#shared/authentication/cluster-authentication-info.ts';
import { createTestCa } from '#shared/server/testing/certificates.ts';
import { combinedAuthenticationData } from './combined-authentication.ts';

const dayMs = 86_400_000;

function info(ca: string, name: string): ClusterAuthenticationInfo {
  return {
    clientCaPem: ca,
    requestHeaderCaPem: ca,
    requestHeaderAllowedNames: [name],
    requestHeaderExtraPrefixes: ['X-Remote-Extra-'],
    requestHeaderGroupHeaders: ['X-Remote-Group'],
    requestHeaderUidHeaders: [],
    requestHeaderUsernameHeaders: ['X-Remote-User'],
  };
}

describe('combinedAuthenticationData', () => {
  test('appends its own CAs and names to those of other servers without duplicates', async () => {
    const [first, second] = (await Promise.all([createTestCa('CN=first'), createTestCa('CN=second')])).map(
      ({ cert }) => `${cert.trimEnd()}\n`,
    ) as [string, string];
    const present = new Map(
      Object.entries({ ...clusterAuthenticationData(info(`a word\n${first}`, 'one')), mine: 'true' }),
    );
    const data = combinedAuthenticationData(present, info(second + first, 'two'), Date.now());
    assert.equal(data['client-ca-file'], first + second);
    assert.equal(data['requestheader-allowed-names'], '["one","two"]');
    assert.equal(data['requestheader-group-headers'], '["X-Remote-Group"]');
    assert.equal(data['mine'], undefined);
  });

  test('drops expired certificates', async () => {
    const old = await createTestCa('CN=old');
    const later = Date.now() + 100 * 365 * dayMs;
    const data = combinedAuthenticationData(
      new Map(Object.entries(clusterAuthenticationData(info(old.cert, 'one')))),
      info('', 'two'),
      later,
    );
    assert.deepEqual(data, {});
  });

  test('throws on stored data that it cannot parse', () => {
    const own = info('', 'one');
    assert.throws(
      () => combinedAuthenticationData(new Map([['requestheader-allowed-names', '{}']]), own, 0),
      /requestheader-allowed-names: \{\} is no list of strings/,
    );
    assert.throws(
      () => combinedAuthenticationData(new Map([['requestheader-allowed-names', '[']]), own, 0),
      SyntaxError,
    );
    assert.throws(
      () => combinedAuthenticationData(new Map([['client-ca-file', 'none']]), own, 0),
      /does not contain any valid/,
    );
  });

  // As client-go's util/cert: ParseCertsPEM.
  test('passes over blocks that are no certificates or have headers', async () => {
    const { cert } = await createTestCa('CN=first');
    const body = cert.split('\n').slice(1).join('\n');
    const key = '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n';
    const withHeaders = `-----BEGIN CERTIFICATE-----\nA: b\n\n${body}`;
    const data = combinedAuthenticationData(
      new Map(),
      info(`${key}${withHeaders.trimEnd()}\n${cert}`, 'one'),
      Date.now(),
    );
    assert.equal(data['client-ca-file'], `${cert.trimEnd()}\n`);
    for (const other of [key, withHeaders])
      assert.throws(
        () => combinedAuthenticationData(new Map(), info(other, 'one'), Date.now()),
        /does not contain any valid/,
      );
  });
});
