import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RequestContext } from '../request/request-context.ts';
import { parseServerOptions } from './options/server-options.ts';
import { serveVersion } from './version.ts';

test('clients are told the version that --version names', async () => {
  const told = async (...argv: string[]): Promise<unknown> => {
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
  assert.equal(await told('--version=v1.36.3-custom'), 'v1.36.3-custom');
  assert.equal(await told(), 'v1.36.3');
});
