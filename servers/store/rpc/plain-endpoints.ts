import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ServerHttp2Stream } from 'node:http2';
import type { EtcdService } from '#shared/storage/etcd-wire/service.ts';
import { reportedVersion, storageVersion } from './maintenance-handlers.ts';

interface PlainAnswer {
  readonly code: number;
  readonly contentType: string;
  readonly body: string;
}

/**
 * Answers plain HTTP on the client port like etcd 3.6, for the paths that probes and clients use: `/readyz` succeeds
 * with a full disk and fails with damaged data.
 */
async function plainAnswer(service: EtcdService, url: string): Promise<PlainAnswer> {
  const path = url.split('?')[0];
  if (path === '/version')
    return json(200, { etcdserver: reportedVersion, etcdcluster: storageVersion, storage: storageVersion });
  if (path === '/livez') return text(200, 'ok\n');
  if (path === '/health' || path === '/readyz') {
    const { alarms } = (await service.unary('Maintenance/Alarm', { action: 'GET', alarm: 'NONE' })) as {
      alarms: { alarm: string }[];
    };
    if (path === '/readyz')
      return alarms.some(({ alarm }) => alarm === 'CORRUPT')
        ? text(503, '[-]data_corruption failed: alarm activated: CORRUPT\n')
        : text(200, 'ok\n');
    const reason = alarms[0] === undefined ? '' : `ALARM ${alarms[0].alarm}`;
    return json(reason === '' ? 200 : 503, { health: String(reason === ''), reason });
  }
  return text(404, '404 page not found\n');
}

export function answerHttp1(service: EtcdService, request: IncomingMessage, response: ServerResponse): void {
  void plainAnswer(service, request.url ?? '').then(({ code, contentType, body }) => {
    response.writeHead(code, { 'content-type': contentType }).end(body);
  });
}

export function answerHttp2(service: EtcdService, stream: ServerHttp2Stream, path: string): void {
  stream.resume();
  void plainAnswer(service, path).then(({ code, contentType, body }) => {
    if (stream.destroyed) return;
    stream.respond({ ':status': code, 'content-type': contentType });
    stream.end(body);
  });
}

function text(code: number, body: string): PlainAnswer {
  return { code, contentType: 'text/plain; charset=utf-8', body };
}

function json(code: number, body: object): PlainAnswer {
  return { code, contentType: 'application/json', body: JSON.stringify(body) };
}
