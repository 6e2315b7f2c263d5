import { frame, sendRaw } from '#test/robustness/hostile/raw-connection.ts';
import type { FrameCase } from './frame-cases.ts';
import { frameFlag, frameType, headerBlock, headersFrames, http2Outcome } from './http2-wire.ts';
import type { Field } from './http2-wire.ts';

/** A request in both protocols, spelled as it goes over the wire. */
export interface Case {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  /** Behind the pseudo headers and Host. */
  readonly fields: readonly Field[];
  readonly body: string;
}

/** What a client is told; the text is the whole body, or who the request ran as. */
export interface CaseAnswer {
  readonly status: number;
  readonly text: string;
}

/**
 * What becomes of a sequence of frames: the answer of its stream, or the code that broke the stream or the connection
 * off.
 */
export interface FramesOutcome {
  /** 0 where there was none. */
  readonly status: number;
  readonly text: string;
  readonly reset?: number;
  readonly goaway?: number;
}

const patienceMs = 5_000;

export function plainCase(name: string, method: string, path: string): Case {
  return { name, method, path, fields: [], body: '' };
}

export async function askHttp1(url: string, { method, path, fields, body }: Case): Promise<CaseAnswer> {
  const lines = fields.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  const { status, text } = await sendRaw(
    url,
    Buffer.from(`${method} ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${lines}\r\n${body}`, 'latin1'),
    patienceMs,
  );
  return caseAnswer(status, bodyOf(text));
}

export async function askHttp2(url: string, { method, path, fields, body }: Case): Promise<CaseAnswer> {
  const block = headerBlock([
    [':method', method],
    [':scheme', 'https'],
    [':authority', 'a'],
    [':path', path],
    ...fields,
  ]);
  const bytes = Buffer.concat([
    headersFrames(1, block, body === ''),
    ...(body === '' ? [] : [frame(frameType.data, frameFlag.endStream, 1, Buffer.from(body))]),
  ]);
  const { status, body: text } = await http2Outcome(url, bytes, 1, patienceMs);
  return caseAnswer(status, text);
}

export async function askFrames(url: string, { bytes, stream }: FrameCase): Promise<FramesOutcome> {
  const { status, body, reset, goaway } = await http2Outcome(url, bytes, stream, patienceMs);
  return { status, text: body, ...(reset === undefined ? {} : { reset }), ...(goaway === undefined ? {} : { goaway }) };
}

function bodyOf(answer: string): string {
  const end = answer.indexOf('\r\n\r\n');
  if (end < 0) return '';
  const rest = answer.slice(end + 4);
  return /\r\ntransfer-encoding: chunked/i.test(answer.slice(0, end))
    ? rest.replaceAll(/^[0-9a-f]+\r\n|\r\n[0-9a-f]+\r\n/gi, '').trimEnd()
    : rest;
}

/** A 2xx says what each server is; only that it was served counts, and as whom. */
function caseAnswer(status: number, text: string): CaseAnswer {
  if (status < 200 || status >= 300) return { status, text };
  return { status, text: /"username":("(?:[^"\\]|\\.)*")/.exec(text)?.[1] ?? '' };
}
