import {
  frameFlag,
  frameType,
  headerBlock,
  headersFrames,
  http2Outcome,
} from '#test/robustness/attacks/protocol/http2-wire.ts';
import type { Field } from '#test/robustness/attacks/protocol/http2-wire.ts';
import { frame, sendRaw } from '#test/robustness/hostile/raw-connection.ts';

/** What a server told; a 2xx only that it was served. */
export interface RightsAnswer {
  readonly status: number;
  readonly message: string;
}

export interface RawRequest {
  readonly method: string;
  readonly target: string;
  readonly token: string;
  readonly scheme?: string;
  readonly fields?: readonly Field[];
  readonly body?: object;
}

const patienceMs = 5_000;

/** Over HTTP/2, spelled byte by byte. */
export async function tellHttp2(url: string, request: RawRequest): Promise<RightsAnswer> {
  const { status, body } = await ask(url, request);
  return rightsAnswer(status, body);
}

/** The whole text of the answer. */
export async function tellHttp2Text(url: string, request: RawRequest): Promise<string> {
  return (await ask(url, request)).body.trim();
}

async function ask(
  url: string,
  { method, target, token, scheme = 'https', fields = [], body }: RawRequest,
): Promise<{ readonly status: number; readonly body: string }> {
  const text = body === undefined ? '' : JSON.stringify(body);
  const block = headerBlock([
    [':method', method],
    [':scheme', scheme],
    [':authority', 'a'],
    [':path', target],
    ...contentFields(token, fields, text),
  ]);
  const bytes = Buffer.concat([
    headersFrames(1, block, text === ''),
    ...(text === '' ? [] : [frame(frameType.data, frameFlag.endStream, 1, Buffer.from(text))]),
  ]);
  return await http2Outcome(url, bytes, 1, patienceMs);
}

/** Over HTTP/1.1, spelled byte by byte; there is no scheme in it. */
export async function tellHttp1(
  url: string,
  { method, target, token, fields = [], body }: RawRequest,
): Promise<RightsAnswer> {
  const text = body === undefined ? '' : JSON.stringify(body);
  const lines = contentFields(token, fields, text)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
  const { status, text: answer } = await sendRaw(
    url,
    Buffer.from(`${method} ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${lines}\r\n${text}`, 'latin1'),
    patienceMs,
  );
  return rightsAnswer(status, answer.slice(answer.indexOf('\r\n\r\n') + 4));
}

function contentFields(token: string, fields: readonly Field[], text: string): readonly Field[] {
  return [
    ['authorization', `Bearer ${token}`],
    ['accept', 'application/json'],
    ...(text === ''
      ? []
      : ([
          ['content-type', 'application/json'],
          ['content-length', String(Buffer.byteLength(text))],
        ] as const)),
    ...fields,
  ];
}

function rightsAnswer(status: number, body: string): RightsAnswer {
  if (status >= 200 && status < 300) return { status, message: /"allowed":(?:true|false)/.exec(body)?.[0] ?? '' };
  return { status, message: /"message":"((?:[^"\\]|\\.)*)"/.exec(body)?.[1] ?? body.trim() };
}
