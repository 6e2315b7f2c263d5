import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { RequestContext } from '#shared/request/request-context.ts';
import { parseServerOptions } from './options/parse-server-options.ts';
import { serveVersion } from './version.ts';

describe('serveVersion', () => {
  test('reports the version that --version names', async () => {
    const reported = async (...argv: string[]): Promise<unknown> => {
      let body = '';
      const exchange = {
        method: 'GET',
        headers: {},
        send: (_status: number, _headers: unknown, text: string) => {
          body = text;
        },
      };
      await serveVersion(parseServerOptions(argv).options)({ exchange } as unknown as RequestContext);
      return (JSON.parse(body) as { gitVersion: string }).gitVersion;
    };
    assert.equal(await reported('--version=v1.36.3-custom'), 'v1.36.3-custom');
    assert.equal(await reported(), 'v1.36.3');
  });
});
