import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { AuthenticationResult } from './contract/authenticator.ts';
import { TokenFileAuthenticator } from './token-file.ts';

function read(text: string, apiAudiences?: readonly string[]): TokenFileAuthenticator {
  const folder = mkdtempSync(join(tmpdir(), 'tokens-'));
  try {
    const path = join(folder, 'tokens.csv');
    writeFileSync(path, text);
    return new TokenFileAuthenticator(path, apiAudiences);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const ask = (
  tokens: TokenFileAuthenticator,
  token: string,
  audiences: readonly string[] = [],
): AuthenticationResult | undefined => tokens.authenticateToken(token, audiences);

describe('TokenFileAuthenticator', () => {
  test('reads token, name, uid and quoted groups of a line, and skips lines without a token', () => {
    const tokens = read('t1,alice,u1\nt2,bob,u2,"dev,ops"\n\n,nobody,u3\nt4,"a ""b""",u4,\n');
    assert.deepEqual(ask(tokens, 't1')?.user, { name: 'alice', uid: 'u1', groups: [], extra: {} });
    assert.deepEqual(ask(tokens, 't2')?.user.groups, ['dev', 'ops']);
    assert.equal(ask(tokens, 't4')?.user.name, 'a "b"');
    assert.equal(ask(tokens, ''), undefined);
    assert.equal(ask(tokens, 'alice'), undefined);
  });

  test('throws for a line with two columns', () => {
    assert.throws(() => read('t1,alice\n'), /must have at least 3 columns \(token, user name, user uid\), found 2/);
  });

  test('accepts its tokens for audiences of the server only', () => {
    const tokens = read('t1,alice,u1\n', ['api']);
    assert.deepEqual(ask(tokens, 't1', ['other', 'api'])?.audiences, ['api']);
    assert.equal(ask(tokens, 't1', ['other']), undefined);
  });
});
