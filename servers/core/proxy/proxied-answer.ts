import type { IncomingMessage } from 'node:http';
import { pipeline, type Duplex, type Readable } from 'node:stream';
import { createDeflateRaw, createGunzip, createGzip, createInflateRaw } from 'node:zlib';
import { newInternalError } from '../../../shared/apimachinery/status.ts';
import type { Exchange } from '../../../shared/request/exchange.ts';
import { addHeaders, passedHeaders } from './answer-headers.ts';
import { GoUrlError } from './go-url.ts';
import { rewriteLink, type ProxiedPlace } from './links.ts';
import { passBody, passPage } from './pass-body.ts';
import { HtmlRewriter } from './rewrite-html.ts';

/** How the answer to a request is to be changed. */
export interface AnswerRules {
  readonly place: ProxiedPlace;
  /** The proxy itself asked for gzip, so nobody else has to know of it. */
  readonly unzips: boolean;
}

/**
 * Streams the target's answer to the client, with its links as the client has to follow them. Resolves when the answer
 * has begun. Rejects, before anything of it is sent, for a `Location` that is none and for a page that cannot be read.
 */
export async function answerFrom(
  exchange: Exchange,
  answer: IncomingMessage,
  { place, unzips }: AnswerRules,
): Promise<void> {
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
    const rewritten = rewriteLocation(location, place);
    without('location');
    headers.push(['location', rewritten]);
  } else if (isPage(answer)) {
    const coder = isUnzipped ? [] : coders.get(encoding)?.();
    if (coder !== undefined) {
      without('content-length');
      const [decode = [], encode = []] = coder;
      return passPage(
        exchange,
        answer.statusCode ?? 502,
        () => addHeaders(exchange, headers),
        through(answer, [...steps, ...decode, new HtmlRewriter(place), ...encode]),
      );
    }
  }
  addHeaders(exchange, headers);
  passBody(exchange, answer, steps.length === 0 ? answer : through(answer, steps));
}

/** How a page is read and written again, by its encoding. Pages in others pass as they are. */
const coders: ReadonlyMap<string, () => readonly [decode: Duplex[], encode: Duplex[]]> = new Map([
  ['', () => [[], []]],
  ['gzip', () => [[createGunzip()], [createGzip()]]],
  ['deflate', () => [[createInflateRaw()], [createDeflateRaw({ level: 9 })]]],
]);

function isPage({ headers }: IncomingMessage): boolean {
  return (headers['content-type'] ?? '').split(';', 1)[0]?.trim() === 'text/html';
}

/** An error anywhere destroys all of them; it is the last one's. */
function through(answer: IncomingMessage, steps: readonly Duplex[]): Readable {
  return pipeline([answer, ...steps], () => undefined) as unknown as Readable;
}

function rewriteLocation(location: string, place: ProxiedPlace): string {
  try {
    return rewriteLink(location, place);
  } catch (error) {
    if (error instanceof GoUrlError) throw newInternalError(`error trying to parse Location header: ${error.message}`);
    throw error;
  }
}
