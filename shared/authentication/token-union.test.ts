import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  AuthenticationError,
  type AuthenticationAnswer,
  type AuthenticationResult,
  type TokenAuthenticator,
} from './contract/authenticator.ts';
import { unionTokenAuthenticator } from './token-union.ts';

const result = (name: string): AuthenticationResult => ({ user: { name, uid: '', groups: [], extra: {} } });

/** Counts how often it is asked; answers at once, or later where it is `slow`. */
class Tokens implements TokenAuthenticator {
  asked = 0;
  readonly #answers: Readonly<Record<string, AuthenticationResult | AuthenticationError>>;
  readonly #slow: boolean;

  constructor(answers: Readonly<Record<string, AuthenticationResult | AuthenticationError>>, slow = false) {
    this.#answers = answers;
    this.#slow = slow;
  }

  authenticateToken(token: string): AuthenticationAnswer | Promise<AuthenticationAnswer> {
    this.asked++;
    const answer = this.#answers[token];
    if (this.#slow) return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
    if (answer instanceof Error) throw answer;
    return answer;
  }
}

describe('unionTokenAuthenticator', () => {
  for (const slow of [false, true]) {
    const how = slow ? 'later' : 'at once';
    test(`return the answer of the first authenticator that knows the token (${how})`, async () => {
      const second = new Tokens({ t: result('second') }, slow);
      const union = unionTokenAuthenticator([new Tokens({ t: result('first') }, slow), second]);
      assert.equal((await union.authenticateToken('t', []))?.user.name, 'first');
      assert.equal(second.asked, 0);
    });

    test(`throw an error only when no authenticator knows the token (${how})`, async () => {
      const broken = new Tokens({ t: new AuthenticationError('broken'), u: new AuthenticationError('broken') }, slow);
      const union = unionTokenAuthenticator([broken, new Tokens({ t: result('second') }, slow)]);
      assert.equal((await union.authenticateToken('t', []))?.user.name, 'second');
      await assert.rejects(async () => union.authenticateToken('u', []), { message: 'broken' });
      assert.equal(await union.authenticateToken('unknown', []), undefined);
    });
  }
});
