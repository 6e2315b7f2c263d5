import { request } from 'node:https';
import { adminToken } from '#test/tokens.ts';
import type { SpecialRequest } from './special-requests.ts';

const patienceMs = 20_000;

/**
 * Sends a request with the id by which its events are found. Resolves when its answer or connection has ended, to the
 * status; 0 without one.
 */
export function sendSpecial(url: string, auditId: string, asked: SpecialRequest): Promise<number> {
  const { method, path, body, headers = {}, token = adminToken, leavesAfterMs } = asked;
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    let status = 0;
    const over = (): void => resolve(status);
    const sent = request({
      hostname,
      port,
      method,
      path,
      agent: false,
      rejectUnauthorized: false,
      headers: {
        'user-agent': 'special/1',
        accept: 'application/json',
        'audit-id': auditId,
        ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
        ...headers,
      },
    });
    sent.on('response', (answer) => {
      status = answer.statusCode ?? 0;
      answer
        .on('close', over)
        .on('error', () => undefined)
        .resume();
    });
    sent.on('upgrade', (_answer, socket) => {
      socket.destroy();
      over();
    });
    sent.on('error', over);
    sent.setTimeout(patienceMs, () => sent.destroy());
    if (leavesAfterMs !== undefined) setTimeout(() => sent.destroy(), leavesAfterMs);
    sent.end(body);
  });
}
