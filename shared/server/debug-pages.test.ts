import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { RequestContext } from '#shared/request/request-context.ts';
import { installDebugPages } from './debug-pages.ts';
import { resolveServerOptions } from './options/server-options.ts';
import { PathMux } from './path-mux.ts';

async function get(
  path: string,
  accept?: string,
  query = '',
): Promise<{ readonly status: number; readonly type: unknown; readonly body: string }> {
  const mux = new PathMux();
  installDebugPages(mux, resolveServerOptions({ serviceClusterIpRange: '10.0.0.0/16' }));
  let sent = { status: 0, type: undefined as unknown, body: '' };
  const exchange = {
    headers: accept === undefined ? {} : { accept },
    query,
    send: (status: number, headers: Record<string, unknown>, body: string | readonly Buffer[]) => {
      sent = {
        status,
        type: headers['content-type'],
        body: typeof body === 'string' ? body : Buffer.concat(body).toString(),
      };
    },
  };
  await mux.find(path)?.({ exchange, info: { path, query: new URLSearchParams(query) } } as unknown as RequestContext);
  return sent;
}

describe('debug pages', () => {
  test('serve statusz and flagz as text, or as the versioned object that Accept names', async () => {
    assert.match(
      (await get('/statusz')).body,
      /^\napiserver statusz\nWarning: [^\n]*\n\nStarted: \w{3} \w{3} [ \d]\d \d\d:\d\d:\d\d UTC \d{4}\nUp: 0 hr 00 min \d\d sec\n[^]*\nPaths: \/flagz \/statusz\n$/,
    );
    const flags = (await get('/flagz', '*/*')).body;
    assert.match(flags, /\nservice-cluster-ip-range: 10\.0\.0\.0\/16\nservice-node-port-range: 30000-32767\n/);
    assert.match(flags, /\nevent-ttl: 1h0m0s\n/);
    const { type, body } = await get('/flagz', 'application/json;v=v1beta1;g=config.k8s.io;as=Flagz');
    const {
      kind,
      apiVersion,
      flags: values,
    } = JSON.parse(body) as { kind: string; apiVersion: string; flags: Record<string, string> };
    assert.deepEqual(
      [type, kind, apiVersion, values['enable-aggregator-routing']],
      ['application/json;g=config.k8s.io;v=v1beta1;as=Flagz', 'Flagz', 'config.k8s.io/v1beta1', 'false'],
    );
    assert.match(
      (await get('/statusz', 'application/yaml;v=v1beta1;g=config.k8s.io;as=Statusz')).body,
      /^apiVersion: config\.k8s\.io\/v1beta1\nbinaryVersion: /,
    );
    for (const accept of [
      'application/json',
      'application/*',
      'text/plain;as=Statusz',
      'application/cbor;v=v1beta1;g=config.k8s.io;as=Statusz',
      'application/json;v=v1;g=config.k8s.io;as=Statusz',
    ])
      await assert.rejects(get('/statusz', accept), { code: 406 });
  });
});
