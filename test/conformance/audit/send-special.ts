import { request } from 'node:https';
import { adminToken } from '#test/tokens.ts';
import type { SpecialRequest } from './special-requests.ts';

const patienceMs = 20_000;

/** An answer as far as it came. */
export interface SpecialAnswer {
  /** 0 without an answer. */
  readonly status: number;
  readonly text: string;
}

/**
 * Sends a request with the id by which its events are found. Resolves when its answer or connection has ended.
 */
export function sendSpecial(url: string, auditId: string, asked: SpecialRequest): Promise<SpecialAnswer> {
  const { method, path, body, headers = {}, token = adminToken, leavesAfterMs } = asked;
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    let status = 0;
    let text = '';
    const over = (): void => resolve({ status, text });
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
        .on('data', (chunk: Buffer) => (text += String(chunk)));
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
