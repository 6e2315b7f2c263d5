import type { IncomingMessage } from 'node:http';
import { pipeline, type Duplex, type Readable } from 'node:stream';
import { createDeflateRaw, createGunzip, createGzip, createInflateRaw } from 'node:zlib';
import { newInternalError } from '#shared/apimachinery/errors/status.ts';
import type { Exchange } from '#shared/request/exchange.ts';
import { relayBodyTo } from '#shared/request/relay/relay-body.ts';
import type { AnswerHandler } from '#shared/request/relay/relay.ts';
import { addHeaders, passedHeaders } from './answer-headers.ts';
import { GoUrlError } from './go-url.ts';
import { rewriteLink, type ProxiedUrlMapping } from './links.ts';
import { passPage } from './pass-page.ts';
import { HtmlRewriter } from './rewrite-html.ts';

/** How the response to a request is changed. */
export interface AnswerRules {
  readonly mapping: ProxiedUrlMapping;
  /** The proxy, not the client, asked for gzip, so the client gets the response decompressed. */
  readonly unzips: boolean;
}

/**
 * Passes the target's response to the handler, with rewritten links. Returns the body, which the handler's call
 * resumes or destroys. Throws if `Location` is not a URL.
 */
export function answerFrom(
  exchange: Exchange,
  answer: IncomingMessage,
  { mapping, unzips }: AnswerRules,
  handler: AnswerHandler,
): Readable {
  const status = answer.statusCode ?? 502;
  let headers = passedHeaders(exchange.method, answer);
  const without = (...names: readonly string[]): void =>
    void (headers = headers.filter(([name]) => !names.includes(name)));
  const steps: Duplex[] = [];
  const encoding = answer.headers['content-encoding'] ?? '';
  const isUnzipped = unzips && encoding.toLowerCase() === 'gzip';
  if (isUnzipped) {
    without('content-encoding', 'content-length');
    steps.push(createGunzip());
  }
  const { location } = answer.headers;
  if (location !== undefined && location !== '') {
    const rewritten = rewriteLocation(location, mapping);
    without('location');
    headers.push(['location', rewritten]);
  } else if (isPage(answer)) {
    const coder = isUnzipped ? [] : coders.get(encoding)?.();
    if (coder !== undefined) {
      without('content-length');
      const [decode = [], encode = []] = coder;
      const page = through(answer, [...steps, ...decode, new HtmlRewriter(mapping), ...encode]);
      const isHead = exchange.method === 'HEAD';
      passPage({ status, isHead, addHeaders: () => addHeaders(exchange, headers) }, page, handler);
      return page;
    }
  }
  const body = steps.length === 0 ? answer : through(answer, steps);
  addHeaders(exchange, headers);
  handler.onHead(status, {});
  relayBodyTo(handler, body, answer);
  return body;
}

/** How a page is decoded and encoded, by its encoding. Pages in other encodings are not rewritten. */
const coders: ReadonlyMap<string, () => readonly [decode: Duplex[], encode: Duplex[]]> = new Map([
  ['', () => [[], []]],
  ['gzip', () => [[createGunzip()], [createGzip()]]],
  ['deflate', () => [[createInflateRaw()], [createDeflateRaw({ level: 9 })]]],
]);

function isPage({ headers }: IncomingMessage): boolean {
  return (headers['content-type'] ?? '').split(';', 1)[0]?.trim() === 'text/html';
}

/** Chains the streams. An error in any of them destroys all, and the last stream emits it. */
function through(answer: IncomingMessage, steps: readonly Duplex[]): Readable {
  return pipeline([answer, ...steps], () => undefined) as unknown as Readable;
}

function rewriteLocation(location: string, mapping: ProxiedUrlMapping): string {
  try {
    return rewriteLink(location, mapping);
  } catch (error) {
    if (error instanceof GoUrlError) throw newInternalError(`error trying to parse Location header: ${error.message}`);
    throw error;
  }
}
