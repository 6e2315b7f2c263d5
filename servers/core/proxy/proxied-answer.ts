import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { newInternalError } from '../../../shared/apimachinery/status.ts';
import type { Exchange } from '../../../shared/request/exchange.ts';
import { addHeaders, passedHeaders } from './answer-headers.ts';
import { GoUrlError } from './go-url.ts';
import { rewriteLink, type ProxiedPlace } from './links.ts';

/** How the answer to a request is to be changed. */
export interface AnswerRules {
  readonly place: ProxiedPlace;
  /** The proxy itself asked for gzip, so nobody else has to know of it. */
  readonly unzips: boolean;
}

/** Streams the target's answer to the client. Throws, before anything of it is sent, for a `Location` that is none. */
export function answerFrom(exchange: Exchange, answer: IncomingMessage, { place, unzips }: AnswerRules): void {
  let headers = passedHeaders(answer);
  let body: Readable = answer;
  if (unzips && answer.headers['content-encoding']?.toLowerCase() === 'gzip') {
    headers = headers.filter(([name]) => name !== 'content-encoding' && name !== 'content-length');
    body = unzipped(answer);
  }
  const { location } = answer.headers;
  if (location !== undefined && location !== '') {
    headers = [...headers.filter(([name]) => name !== 'location'), ['location', rewriteLocation(location, place)]];
  }
  addHeaders(exchange, headers);
  pass(exchange, answer, body);
}

function rewriteLocation(location: string, place: ProxiedPlace): string {
  try {
    return rewriteLink(location, place);
  } catch (error) {
    if (error instanceof GoUrlError) throw newInternalError(`error trying to parse Location header: ${error.message}`);
    throw error;
  }
}

function unzipped(answer: IncomingMessage): Readable {
  const gunzip = createGunzip();
  answer.on('error', (error) => gunzip.destroy(error));
  return answer.pipe(gunzip);
}

/** A client that does not read slows the target; an answer that breaks off is broken off. */
function pass(exchange: Exchange, answer: IncomingMessage, body: Readable): void {
  const stream = exchange.stream(answer.statusCode ?? 502, {});
  stream.onDrain(() => body.resume());
  body.on('data', (chunk: Buffer) => {
    if (!stream.write(chunk)) body.pause();
  });
  body.on('end', () => (Object.keys(answer.trailers).length > 0 ? stream.end(answer.trailers as Record<string, string>) : stream.end()));
  body.on('error', () => {
    answer.destroy();
    stream.abort();
  });
  exchange.onClose(() => answer.destroy());
}
