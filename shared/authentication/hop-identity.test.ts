import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { textOfBytes } from '#shared/apimachinery/text/byte-text.ts';
import type { Exchange } from '#shared/request/exchange.ts';
import type { UserInfo } from '#shared/request/user.ts';
import { decodeIdentity, encodeIdentity, remoteIdentity, type HopIdentity } from './hop-identity.ts';

const texts = [
  'alice',
  'Alice',
  ' alice',
  'alice ',
  '\talice',
  'alice\t',
  'alice\u00a0',
  'alice\r\nX-Remote-Group: system:masters',
  'alice\n',
  'alice\r',
  'alice\0',
  'alice\x7f',
  'a%20b',
  'a b',
  'a  b',
  'a%0Ab',
  'a\nb',
  'zoë',
  'zo\u00eb',
  'zo\u0065\u0308',
  '🦀',
  '\ud800',
  '\udfff',
  '\ufffd',
  '\udc80\udcff',
  'a,b',
  'a;b',
  '"',
  '\\',
  '{"name":"root"}',
  '\u2028',
  '__proto__',
];

/** Sends the headers over a connection of HTTP/1.1, as between gateway and backends. */
async function travel(
  identities: readonly (readonly [UserInfo, UserInfo | undefined])[],
): Promise<(HopIdentity | undefined)[]> {
  const folder = mkdtempSync(join(tmpdir(), 'hop-identity-'));
  const socketPath = join(folder, 'socket');
  const read: (HopIdentity | undefined)[] = [];
  const server = createServer((incoming, answer) => {
    read.push(decodeIdentity({ rawHeaders: incoming.rawHeaders, headers: {} } as unknown as Exchange));
    answer.end();
  }).listen(socketPath);
  await once(server, 'listening');
  try {
    for (const [user, impersonator] of identities) {
      const outgoing = request({
        socketPath,
        headers: ['host', 'localhost', ...encodeIdentity(user, impersonator)],
        setHost: false,
      }).end();
      const [answer] = await once(outgoing, 'response');
      answer.resume();
      await once(answer, 'end');
    }
  } finally {
    server.close();
    rmSync(folder, { recursive: true });
  }
  return read;
}

const plain: UserInfo = { name: 'alice', uid: '', groups: [], extra: {} };

describe('identity headers of the hop', () => {
  test('decode to the identity that was encoded, whatever characters its names hold', async () => {
    const users = texts.flatMap((text): UserInfo[] => [
      { ...plain, name: text },
      { ...plain, uid: text },
      { ...plain, groups: ['a', text, text] },
      { ...plain, extra: Object.fromEntries([[text, ['v']]]) },
      { ...plain, extra: { k: [text, 'v'] } },
    ]);
    const odd: UserInfo[] = [
      { ...plain, name: '' },
      { ...plain, groups: ['', 'a'] },
      { ...plain, extra: { '': [''] } },
      { ...plain, extra: { k: [], l: ['v'] } },
    ];
    const sent = [...users, ...odd].flatMap((user): [UserInfo, UserInfo | undefined][] => [
      [user, undefined],
      [plain, user],
    ]);
    const arrived = await travel(sent);
    assert.equal(arrived.length, sent.length);
    for (const [index, [user, impersonator]] of sent.entries()) {
      // Objects without a prototype are as good as others.
      assert.deepEqual(
        JSON.parse(JSON.stringify(arrived[index])),
        JSON.parse(JSON.stringify({ user, ...(impersonator === undefined ? {} : { impersonator }) })),
      );
    }
  });

  test('have the X-Remote-* form of the reference for plain names', () => {
    assert.deepEqual(encodeIdentity({ name: 'alice', uid: '7', groups: ['a,b', 'c d'], extra: { 'a.b/c': ['v'] } }), [
      'X-Remote-User',
      'alice',
      'X-Remote-Uid',
      '7',
      'X-Remote-Group',
      'a,b',
      'X-Remote-Group',
      'c d',
      'X-Remote-Extra-a.b%2Fc',
      'v',
    ]);
  });

  test('hold the bytes of UTF-8, and faulty bytes as they came, for registered servers', () => {
    const name = textOfBytes('j\xc3\xbc\xff');
    assert.deepEqual(remoteIdentity({ name, uid: '', groups: [name], extra: { [`K${name}`]: [name] } }), [
      'X-Remote-User',
      'j\xc3\xbc\xff',
      'X-Remote-Group',
      'j\xc3\xbc\xff',
      'X-Remote-Extra-Kj%C3%BC%FF',
      'j\xc3\xbc\xff',
    ]);
  });

  test('are one object for the headers that requests share, whatever else a request has', () => {
    const sharedHeaders = ['host', 'localhost', ...encodeIdentity({ name: 'alice', uid: '', groups: [], extra: {} })];
    const exchangeOf = (shared: readonly string[], ...own: readonly string[]): Exchange =>
      ({ sharedHeaders: shared, rawHeaders: [...shared, ...own] }) as unknown as Exchange;
    const first = decodeIdentity(exchangeOf(sharedHeaders, 'audit-id', '1'));
    assert.equal(first?.user.name, 'alice');
    assert.equal(decodeIdentity(exchangeOf(sharedHeaders, 'audit-id', '2')), first);
    assert.equal(decodeIdentity(exchangeOf([...sharedHeaders, 'accept', '*/*']))?.user, first.user);
    assert.equal(decodeIdentity(exchangeOf(['host', 'localhost'])), undefined);
  });
});
