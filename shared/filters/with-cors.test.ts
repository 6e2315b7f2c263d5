import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { RequestContext } from '#shared/request/request-context.ts';
import { corsOriginErrors, withCors } from './with-cors.ts';

interface Outcome {
  readonly headers: Readonly<Record<string, string>>;
  readonly passed: boolean;
  readonly status: number | undefined;
}

function ask(patterns: readonly string[], method: string, origin?: string): Outcome {
  const headers: Record<string, string> = {};
  let [passed, status]: [boolean, number | undefined] = [false, undefined];
  const exchange = {
    method,
    headers: origin === undefined ? {} : { origin },
    setHeader: (name: string, value: string) => void (headers[name] = value),
    send: (code: number) => void (status = code),
  };
  const filter = withCors(patterns);
  assert.ok(filter);
  void filter(() => void (passed = true))({ exchange } as unknown as RequestContext);
  return { headers, passed, status };
}

describe('withCors', () => {
  test('answers an origin that matches with the Access-Control headers', () => {
    const { headers, passed } = ask(['example.com$'], 'GET', 'https://www.example.com');
    assert.equal(passed, true);
    // apiserver/pkg/server/filters/cors.go
    assert.deepEqual(headers, {
      'access-control-allow-origin': 'https://www.example.com',
      'access-control-allow-methods': 'POST, GET, OPTIONS, PUT, DELETE, PATCH',
      'access-control-allow-headers':
        'Content-Type, Content-Length, Accept-Encoding, X-CSRF-Token, Authorization, X-Requested-With, If-Modified-Since',
      'access-control-expose-headers': 'Date',
      'access-control-allow-credentials': 'true',
    });
  });

  test('answers a preflight of a matching origin with 204 before authentication', () => {
    const { passed, status } = ask(['.*'], 'OPTIONS', 'https://a');
    assert.deepEqual([passed, status], [false, 204]);
  });

  test('adds nothing for other origins and for requests without one', () => {
    for (const origin of [undefined, 'https://example.org']) {
      const { headers, passed } = ask(['example.com$'], 'OPTIONS', origin);
      assert.deepEqual([passed, headers], [true, {}]);
    }
    assert.equal(withCors([]), undefined);
  });
});

describe('corsOriginErrors', () => {
  test('takes expressions that are pinned to both ends of a host, and no others', () => {
    assert.deepEqual(corsOriginErrors(['//a\\.b$', '^https://a\\.b(:|$)']), []);
    for (const pattern of ['//a.b', 'a.b$', '.*'])
      assert.match(corsOriginErrors([pattern])[0] ?? '', /does not pin to start\/end of host in the origin header/);
    assert.match(corsOriginErrors(['(^$'])[0] ?? '', /^--cors-allowed-origins has an invalid regular expression: /);
    assert.match(corsOriginErrors([''])[0] ?? '', /^empty value in --cors-allowed-origins/);
  });
});
