import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { Agent, request } from 'undici';
import type { Side } from '#test/compare/pair.ts';
import { adminToken } from '#test/tokens.ts';
import { readExposition, type ExposedFamily } from './exposition.ts';
import type { CountedRequest } from './requests.ts';

const agent = new Agent({ connect: { rejectUnauthorized: false } });

export interface Told {
  readonly status: number;
  readonly text: string;
}

/** Sends a request and reads its whole answer. */
export async function ask({ url }: Pick<Side, 'url'>, asked: CountedRequest): Promise<Told> {
  const { method = 'GET', path, type = 'application/json', accept = 'application/json', body, isAnonymous, as } = asked;
  const answer = await request(url + path, {
    method: method as 'GET',
    dispatcher: agent,
    headers: {
      accept,
      ...(isAnonymous === true ? {} : { authorization: `Bearer ${adminToken}` }),
      ...(as === undefined ? {} : { 'impersonate-user': as }),
      ...(body === undefined ? {} : { 'content-type': type }),
    },
    body: bodyOf(asked),
  });
  return { status: answer.statusCode, text: await answer.body.text() };
}

function bodyOf({ body, isChunked }: CountedRequest): string | Readable | null {
  if (body === undefined) return null;
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return isChunked === true ? Readable.from([Buffer.from(text)]) : text;
}

export async function metricsOf(side: Pick<Side, 'url'>, path = '/metrics'): Promise<Map<string, ExposedFamily>> {
  return readExposition((await ask(side, { path, accept: 'text/plain' })).text);
}

/** Repeats a request until it is answered with 200. */
export async function untilServed(side: Pick<Side, 'url'>, path: string): Promise<void> {
  while ((await ask(side, { path })).status !== 200) await pause(100);
}
