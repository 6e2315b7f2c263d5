import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { OwnApiClient } from './own-api-client.ts';
import { OwnServer } from './own-server.ts';

test('OwnApiClient puts lines together that come in several chunks', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'own-api-'));
  const socket = join(folder, 'gateway.sock');
  const chunks = ['{"a":', '"b"', '}\n\n{"', 'c":1}\n{"d', '":2}\n'];
  const server = createServer((_request, response) => {
    const next = (): void => {
      const chunk = chunks.shift();
      if (chunk === undefined) response.end();
      else response.write(chunk, () => setImmediate(next));
    };
    next();
  });
  await new Promise<void>((listening) => server.listen(socket, listening));
  const nowhere = { certFile: '', keyFile: '', servingCertFile: '', caFile: '' };
  const distant = { addresses: () => Promise.resolve([]), ...nowhere };
  const own = new OwnServer({ socket, headers: {}, distant });
  t.after(() => {
    own.close();
    server.close();
    server.closeAllConnections();
    rmSync(folder, { recursive: true, force: true });
  });
  const lines: string[] = [];
  for await (const line of new OwnApiClient(own).lines('/x?watch=true', AbortSignal.timeout(5000))) lines.push(line);
  assert.deepEqual(lines, ['{"a":"b"}', '', '{"c":1}', '{"d":2}']);
});
