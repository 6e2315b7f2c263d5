import type { IncomingMessage, ServerResponse } from 'node:http';
import type { EtcdService } from '../../../shared/storage/etcd-wire/service.ts';
import { reportedVersion, storageVersion } from './maintenance-handlers.ts';

/** What etcd answers to plain HTTP on its client port, as far as probes and clients ask for it. */
export function answerPlain(service: EtcdService, request: IncomingMessage, response: ServerResponse): void {
  const path = request.url?.split('?')[0];
  if (path === '/version') return sendJson(response, 200, { etcdserver: reportedVersion, etcdcluster: storageVersion, storage: storageVersion });
  if (path === '/health' || path === '/livez' || path === '/readyz') {
    service.unary('Maintenance/Alarm', { action: 'GET', alarm: 'NONE' }).then(
      (answer) => {
        const alarms = (answer as { alarms: { alarm: string }[] }).alarms;
        const reason = alarms.length === 0 ? '' : `ALARM ${alarms[0]?.alarm}`;
        sendJson(response, reason === '' ? 200 : 503, { health: String(reason === ''), reason });
      },
      () => sendJson(response, 503, { health: 'false', reason: 'SERVER STOPPED' }),
    );
    return;
  }
  response.writeHead(404, { 'content-type': 'text/plain; charset=utf-8' }).end('404 page not found\n');
}

function sendJson(response: ServerResponse, code: number, body: object): void {
  response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
