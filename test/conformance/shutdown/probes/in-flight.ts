import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:http2';
import { Agent, request } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { headersOf, type Target } from './target.ts';

const path = '/api/v1/namespaces/default/configmaps';
const [head, tail] = ['{"metadata":{"generateName":"a-"}', '}'];

/** A create whose body is sent whole only after `untilMs`, by HTTP/1.1; `Infinity`: never. */
export function createByHttp1(target: Target, name: string, untilMs: number): void {
  const { url, timeline, over } = target;
  const sent = request(`${url}${path}`, {
    method: 'POST',
    rejectUnauthorized: false,
    agent: new Agent(),
    headers: { ...headersOf(target), 'content-type': 'application/json' },
  });
  sent.on('error', () => timeline.note(name, 'cut off'));
  sent.on('response', (answer: IncomingMessage) => {
    answer.resume();
    timeline.note(name, `${answer.statusCode}${answer.headers.connection === 'close' ? ' | connection: close' : ''}`);
  });
  sent.write(head);
  over.addEventListener('abort', () => sent.destroy());
  if (untilMs < Number.POSITIVE_INFINITY) void sleep(untilMs).then(() => sent.end(tail));
}

export function createByHttp2(target: Target, name: string, untilMs: number): void {
  const { url, timeline, over } = target;
  const session = connect(url, { rejectUnauthorized: false });
  session.on('error', () => undefined).on('close', () => timeline.note(`${name} connection`, 'closed'));
  const stream = session.request({
    ':path': path,
    ':method': 'POST',
    ...headersOf(target),
    'content-type': 'application/json',
  });
  stream.on('error', () => timeline.note(name, 'cut off'));
  stream.resume();
  void once(stream, 'response').then(
    ([answer]) => timeline.note(name, String((answer as Record<string, unknown>)[':status'])),
    () => undefined,
  );
  stream.write(head);
  over.addEventListener('abort', () => session.destroy());
  if (untilMs < Number.POSITIVE_INFINITY) void sleep(untilMs).then(() => stream.end(tail));
}
