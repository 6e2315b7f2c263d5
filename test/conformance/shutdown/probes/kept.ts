import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect, constants, type ClientHttp2Session } from 'node:http2';
import { Agent, request } from 'node:https';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { answerText, everyMs, headersOf, type Target } from './target.ts';

/** Uses one HTTP/1.1 connection until it is closed: all the time, or only once before the signal (`idle`). */
export async function probeKeptHttp1(target: Target, path: string, isIdle: boolean): Promise<void> {
  const { url, timeline, over } = target;
  const name = `${isIdle ? 'idle' : 'kept'} HTTP/1.1`;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const first: { socket?: Socket } = {};
  while (!over.aborted && first.socket?.destroyed !== true) {
    if (first.socket === undefined || !isIdle) {
      const sent = request(`${url}${path}`, { rejectUnauthorized: false, agent, headers: headersOf(target) });
      sent.once('socket', (used: Socket) => {
        if (first.socket === undefined) used.once('close', () => timeline.note(name, 'closed'));
        else if (used !== first.socket) sent.destroy();
        first.socket ??= used;
      });
      const sentAtMs = performance.now();
      const answer = await readHttp1(sent.end()).catch(() => undefined);
      if (answer !== undefined) timeline.note(name, answer, sentAtMs);
    }
    await sleep(everyMs);
  }
  agent.destroy();
}

async function readHttp1(sent: ReturnType<typeof request>): Promise<string> {
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  for await (const _chunk of answer);
  // Node.js adds `keep-alive` where the reference says nothing.
  const { connection, ...headers } = answer.headers;
  return answerText(answer.statusCode ?? 0, connection === 'close' ? { ...headers, connection } : headers, '');
}

/** Uses one HTTP/2 connection until it is closed: all the time, or only once before the signal (`idle`). */
export async function probeKeptHttp2(target: Target, path: string, isIdle: boolean): Promise<void> {
  const { url, timeline, over } = target;
  const name = `${isIdle ? 'idle' : 'kept'} HTTP/2`;
  const session = connect(url, { rejectUnauthorized: false });
  let asked = false;
  session.on('goaway', (code) => timeline.note(`${name} GOAWAY`, String(code)));
  session.on('error', () => undefined).on('close', () => timeline.note(name, 'closed'));
  while (!over.aborted && !session.closed && !session.destroyed) {
    if (!asked || !isIdle) {
      const sentAtMs = performance.now();
      const answer = await readHttp2(session, { ':path': path, ...headersOf(target) }).catch(() => undefined);
      if (answer !== undefined) timeline.note(name, answer, sentAtMs);
      asked = true;
    }
    await sleep(everyMs);
  }
  session.destroy();
}

async function readHttp2(session: ClientHttp2Session, headers: Record<string, string>): Promise<string> {
  const stream = session.request(headers);
  const [answer] = (await once(stream, 'response')) as [Record<string, unknown>];
  for await (const _chunk of stream);
  return answerText(Number(answer[constants.HTTP2_HEADER_STATUS]), answer, '');
}
