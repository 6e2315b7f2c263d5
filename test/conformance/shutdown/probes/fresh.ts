import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { answerText, everyMs, headersOf, type Target } from './target.ts';

/** Asks for a path again and again, each time by a connection of its own. */
export async function probeFresh(target: Target, path: string, showsBody = true): Promise<void> {
  const { url, timeline, over } = target;
  while (!over.aborted) {
    const sentAtMs = performance.now();
    const sent = request(`${url}${path}`, {
      rejectUnauthorized: false,
      agent: new Agent(),
      headers: headersOf(target),
    }).end();
    const answer = await read(sent, showsBody).catch(() => 'no connection');
    // A connection that is taken in the last moment is reset, or refused: the next one tells.
    timeline.note(`fresh ${path}`, answer, sentAtMs);
    await sleep(everyMs);
  }
}

async function read(sent: ReturnType<typeof request>, showsBody: boolean): Promise<string> {
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  let text = '';
  for await (const chunk of answer) text += String(chunk);
  return answerText(answer.statusCode ?? 0, answer.headers, showsBody || answer.statusCode !== 200 ? text : '');
}
