import assert from 'node:assert/strict';
import { createHmac, createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { undisturbed } from './others.ts';
import { alice, type Target } from './target.ts';

/** Who holds tokens, or makes some. */
export function attackByTokens(target: Target): void {
  const { keys, keyServer } = target;
  const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  const areRefused = async (tokens: Readonly<Record<string, string>>): Promise<void> => {
    for (const [name, token] of Object.entries(tokens)) assert.equal((await target.who(token)).status, 401, name);
  };

  describe('ID tokens', () => {
    test('are refused for algorithms that turn a public key into a secret, and for none', async () => {
      const [head, body] = target.token('one').split('.') as [string, string];
      const publicKey = createPublicKey(keys.one);
      const secrets = {
        pem: publicKey.export({ type: 'spki', format: 'pem' }),
        'pem without its last line end': publicKey.export({ type: 'spki', format: 'pem' }).trim(),
        der: publicKey.export({ type: 'spki', format: 'der' }),
        pkcs1: publicKey.export({ type: 'pkcs1', format: 'pem' }),
        jwk: JSON.stringify(publicKey.export({ format: 'jwk' })),
        modulus: Buffer.from(publicKey.export({ format: 'jwk' }).n ?? '', 'base64url'),
        empty: '',
      };
      const headOf = (alg: string): string =>
        Buffer.from(JSON.stringify({ alg, kid: 'key of one' })).toString('base64url');
      const forged = Object.entries(secrets).flatMap(([name, secret]) =>
        ['256', '384', '512'].map((bits) => {
          const signed = `${headOf(`HS${bits}`)}.${body}`;
          return [
            `HS${bits} by ${name}`,
            `${signed}.${createHmac(`sha${bits}`, secret).update(signed).digest('base64url')}`,
          ];
        }),
      );
      const none = ['none', 'None', 'NONE', '', 'dir', 'RS256 '].map((alg) => [
        `alg ${alg}`,
        `${headOf(alg)}.${body}.`,
      ]);
      await areRefused(
        Object.fromEntries([...forged, ...none, ['no signature', `${head}.${body}.`]]) as Record<string, string>,
      );
    });

    test('are refused for keys that they bring along, and no address of theirs is asked', async () => {
      keyServer.publish('evil', { 'key of one': stranger });
      const address = `${keyServer.url}/evil/keys`;
      const jwk = createPublicKey(stranger).export({ format: 'jwk' });
      const headers = { jku: address, x5u: address, jwk, x5c: [address], kid: address };
      await areRefused(
        Object.fromEntries(
          Object.entries(headers).map(([name, value]) => [
            name,
            target.token('one', {}, { key: stranger, header: { [name]: value } }),
          ]),
        ),
      );
      await areRefused({
        'kid of the issuer': target.token('one', {}, { key: stranger, header: { kid: 'key of one' } }),
      });
      assert.deepEqual(
        keyServer.asked.filter((path) => path.includes('evil')),
        [],
      );
    });

    test('are refused for the issuer, the audience or the key of another authenticator', async () => {
      const accounts = createPrivateKey(readFileSync(join(target.side.pki, 'sa.key')));
      const ofAccounts = {
        iss: 'https://kubernetes.default.svc.cluster.local',
        aud: 'https://kubernetes.default.svc.cluster.local',
      };
      await areRefused({
        'the key of another issuer': target.token('one', {}, { key: keys.two }),
        'the audience of another issuer': target.token('one', { aud: 'clients of two' }),
        'the audience of the server': target.token('one', { aud: ofAccounts.aud }),
        'the key of service accounts': target.token('one', {}, { key: accounts }),
        'the issuer of service accounts': target.token('one', {
          ...ofAccounts,
          sub: 'system:serviceaccount:default:default',
        }),
        'an issuer with a slash': target.token('one', { iss: `${keyServer.url}/one/` }),
        'an issuer in capitals': target.token('one', { iss: `${keyServer.url}/ONE` }),
      });
    });

    test('name nobody beyond the prefixes', async () => {
      for (const sub of ['system:admin', '../system:admin', 'alice\u0000', 'first:one:alice', '\u202ealice']) {
        const { name, groups } = await target.who(target.token('one', { sub, groups: ['system:masters', ''] }));
        assert.equal(name, `first:one:${sub}`);
        assert.deepEqual(groups, ['first:one:system:masters', 'first:one:', 'system:authenticated']);
      }
    });

    test('that are much alike are not taken for each other by the cache', async () => {
      const good = target.token('one');
      assert.deepEqual(await target.who(good), alice);
      const [head = '', body = '', signature = ''] = good.split('.');
      const bob = Buffer.from(Buffer.from(body, 'base64url').toString().replace('alice', 'bob')).toString('base64url');
      await areRefused({
        'another body': `${head}.${bob}.${signature}`,
        'a longer signature': `${good}A`,
        'a fourth part': `${good}.`,
        'a changed letter': good.replace(/.$/, (last) => (last === 'A' ? 'Q' : 'A')),
        'a shorter signature': good.slice(0, -4),
      });
    });

    test('of unknown kids make the provider send its keys once a second at most', async () => {
      const before = keyServer.asked.length;
      const startMs = performance.now();
      await undisturbed(target, async () => {
        for (let batch = 0; batch < 5; batch += 1)
          await Promise.all(
            Array.from({ length: 200 }, async (_one, index) => {
              const token = target.token('two', {}, { key: keys.one, header: { kid: `${batch}-${index}` } });
              assert.equal((await target.who(token)).status, 401);
            }),
          );
      });
      const seconds = (performance.now() - startMs) / 1000;
      assert.ok(
        keyServer.asked.length - before <= seconds + 2,
        `${keyServer.asked.length - before} fetches in ${seconds} s`,
      );
    });
  });
}
