import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import type { IncomingMessage, RequestOptions } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BackendPool } from '#gateway/proxy/backend-pool.ts';
import { Backend } from '#gateway/proxy/backend.ts';
import { forward } from '#gateway/proxy/forward.ts';
import { toStatus } from '#shared/apimachinery/errors/status.ts';
import { ControlStreamSource } from '#shared/process/control-stream.ts';
import { listenUnix } from '#shared/process/listeners/unix-listener.ts';
import type { Exchange } from '#shared/request/exchange.ts';
import type { Listener } from '#shared/server/exchange/listener.ts';
import { RequestState } from '#shared/server/request-state.ts';

export const directory = mkdtempSync(join(tmpdir(), 'quarterdeck-forward-'));
export const cleanups: (() => void)[] = [];

export const user = { name: 'bob', uid: '', groups: ['g1', 'g2'], extra: {} };
let serial = 0;

interface Rig {
  readonly front: string;
  readonly back: string;
  readonly backend: Backend;
  readonly listener: Listener;
  readonly source: ControlStreamSource;
}

/** What a core server tells gateways when it is ready. */
export function readySource(): ControlStreamSource {
  return new ControlStreamSource({
    type: 'state',
    server: 'core',
    ready: true,
    draining: false,
    groupVersions: [],
    checks: [],
  });
}

export async function startBackend(
  path: string,
  serve: (exchange: Exchange) => void,
): Promise<{ listener: Listener; source: ControlStreamSource }> {
  const source = readySource();
  const listener = await listenUnix(path, (exchange) => {
    if (exchange.path === '/.quarterdeck/control') void source.handler(new RequestState(exchange));
    else serve(exchange);
  });
  return { listener, source };
}

export async function startRig(serve: (exchange: Exchange) => void): Promise<Rig> {
  serial++;
  const back = join(directory, `back-${serial}.sock`);
  const front = join(directory, `front-${serial}.sock`);
  const { listener, source } = await startBackend(back, serve);
  const heard = Promise.withResolvers<void>();
  const backend = new Backend(
    back,
    () => connect({ path: back }),
    () => heard.resolve(),
  );
  await heard.promise;
  const pool = new BackendPool('core', [backend]);
  const door = await listenUnix(front, (exchange) => {
    const context = new RequestState(exchange);
    context.user = user;
    context.auditId = 'audit-1';
    forward(context, pool).catch((error: unknown) => {
      const status = toStatus(error);
      exchange.send(status.code, { 'content-type': 'application/json' }, JSON.stringify(status));
    });
  });
  cleanups.push(() => {
    backend.close();
    source.close();
    listener.destroy();
    door.destroy();
  });
  return { front, back, backend, listener, source };
}

export async function call(
  socketPath: string,
  path: string,
  more: RequestOptions = {},
  body?: string,
): Promise<{ response: IncomingMessage; text: string }> {
  const request = httpRequest({ socketPath, path, agent: false, ...more });
  request.end(body);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  let text = '';
  for await (const chunk of response) text += String(chunk);
  return { response, text };
}
