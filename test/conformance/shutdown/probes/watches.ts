import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:http2';
import { Agent, request } from 'node:https';
import { headersOf, type Target } from './target.ts';

const path = '/api/v1/namespaces/default/configmaps?watch=true';

/** Opens a watch by a connection of its own, and says how it ends. Resolves when it is open. */
export async function watchByHttp1(target: Target): Promise<void> {
  const { url, timeline, over } = target;
  const name = 'watch by HTTP/1.1';
  const sent = request(`${url}${path}`, { rejectUnauthorized: false, agent: new Agent(), headers: headersOf(target) });
  const [answer] = (await once(sent.end(), 'response')) as [IncomingMessage];
  timeline.note(name, String(answer.statusCode));
  answer.on('error', () => undefined).resume();
  answer.on('close', () => timeline.note(name, answer.complete ? 'ended' : 'cut off'));
  over.addEventListener('abort', () => sent.destroy());
}

export async function watchByHttp2(target: Target): Promise<void> {
  const { url, timeline, over } = target;
  const name = 'watch by HTTP/2';
  const session = connect(url, { rejectUnauthorized: false });
  session.on('error', () => undefined).on('goaway', (code) => timeline.note(`${name} GOAWAY`, String(code)));
  session.on('close', () => timeline.note(`${name} connection`, 'closed'));
  const stream = session.request({ ':path': path, ...headersOf(target) });
  const [answer] = (await once(stream, 'response')) as [Record<string, unknown>];
  timeline.note(name, String(answer[':status']));
  let isWhole = false;
  stream
    .on('error', () => undefined)
    .on('end', () => (isWhole = stream.rstCode === 0 && !stream.aborted))
    .resume();
  stream.on('close', () => timeline.note(name, isWhole && stream.rstCode === 0 ? 'ended' : 'cut off'));
  over.addEventListener('abort', () => session.destroy());
}
