import { Buffer } from 'node:buffer';
import { isObject, type JsonObject } from '#shared/apimachinery/json/json.ts';
import { atOnce, inSlices, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { prefersGzip } from '#shared/endpoints/responders/accept-encoding.ts';
import { sendBody, type BodyOptions } from '#shared/endpoints/responders/send-body.ts';
import type { RequestContext } from '#shared/request/request-context.ts';
import { parseAccept } from '#shared/serializer/accept.ts';
import { parseJson } from '#shared/serializer/json/parse.ts';
import { finishedDocument, type OpenApiDocument } from './document-bytes.ts';
import { v3Index, type OpenApiDocuments } from './openapi-documents.ts';
import { v3Message } from './v3-protobuf.ts';

/** Media type of `/openapi/v2` in protobuf. */
export const v2ProtobufType = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';
/** The media type and its older name, which has an @ in place of a dot. */
const v2ProtobufTypes: ReadonlySet<string> = new Set([
  v2ProtobufType,
  'application/com.github.proto-openapi.spec.v2@v1.0+protobuf',
]);
/** Media type of documents below `/openapi/v3/` in protobuf. */
const v3ProtobufType = 'application/com.github.proto-openapi.spec.v3.v1.0+protobuf';
const v3ProtobufTypes: ReadonlySet<string> = new Set([
  v3ProtobufType,
  'application/com.github.proto-openapi.spec.v3@v1.0+protobuf',
]);
/** The v2 document varies by encoding as well, since it is offered compressed, unlike v3. */
const v2Vary = 'Accept-Encoding, Accept';
const yearMs = 365 * 24 * 3600 * 1000;
const v3Root = '/openapi/v3/';

/** The source of a server's documents. */
export type DocumentSource = Pick<OpenApiDocuments, 'v3Entries' | 'v3Hash' | 'v3' | 'v2' | 'v2Protobuf'>;

/** Serves `/openapi/v2`, `/openapi/v3` and the documents below it (kube-openapi pkg/handler and handler3). */
export class OpenApiHandler {
  readonly #documents: DocumentSource;

  constructor(documents: DocumentSource) {
    this.#documents = documents;
  }

  async v2(context: RequestContext): Promise<void> {
    const type = v2Type(context);
    context.exchange.setHeader('vary', v2Vary);
    if (type === undefined) {
      context.exchange.send(406, {});
      return;
    }
    const document = await (type === v2ProtobufType ? this.#documents.v2Protobuf() : this.#documents.v2());
    sendOpenApi(context, document, type, {
      gzip: prefersGzip(context.exchange.headers['accept-encoding']),
      vary: v2Vary,
    });
  }

  index(context: RequestContext): void {
    sendV3Index(context, this.#documents.v3Entries());
  }

  /**
   * A document below `/openapi/v3/`. An outdated `?hash=` is redirected; with the current hash the response may be
   * cached for a year.
   */
  async v3(context: RequestContext): Promise<void> {
    const { exchange, info } = context;
    const name = info.path.slice(v3Root.length);
    const hash = this.#documents.v3Hash(name);
    if (hash === undefined) {
      exchange.send(404, {});
      return;
    }
    if (parseAccept(acceptOf(context)).length === 0) {
      // An Accept header without any media type gets an empty 200.
      exchange.send(200, {});
      return;
    }
    const asked = info.query.get('hash');
    exchange.setHeader('vary', 'Accept');
    if (asked !== null && asked !== hash) {
      exchange.send(301, {
        location: `${v3Root}${name}?hash=${hash}`,
        'content-type': 'application/json',
        etag: `"${hash}"`,
      });
      return;
    }
    const type = v3Type(context);
    if (type === undefined) {
      exchange.send(406, {});
      return;
    }
    const document = type === v3ProtobufType ? await this.#v3Protobuf(name) : await this.#documents.v3(name);
    if (document === undefined) {
      exchange.send(404, {});
      return;
    }
    if (asked !== null) {
      exchange.setHeader('cache-control', 'public, immutable');
      exchange.setHeader('expires', new Date(Date.now() + yearMs).toUTCString());
    }
    sendOpenApi(context, document, type, { gzip: false });
  }

  /** Few clients request v3 as protobuf: it is made from the JSON each time. */
  async #v3Protobuf(name: string): Promise<OpenApiDocument | undefined> {
    const json = await this.#documents.v3(name);
    if (json === undefined) return undefined;
    const value = atOnce(parseJson(json.bytes));
    return isObject(value) ? { ...(await inSlices(protobufDocument(value))), etag: json.etag } : undefined;
  }
}

/** `/openapi/v3`, from the entries of one or several servers. */
export function sendV3Index(context: RequestContext, entries: ReadonlyMap<string, string>): void {
  context.exchange.setHeader('accept-ranges', 'bytes');
  sendBody(context, 200, 'text/plain; charset=utf-8', [Buffer.from(v3Index(entries))]);
}

function* protobufDocument(value: JsonObject): Steps<OpenApiDocument> {
  return yield* finishedDocument(yield* v3Message(value));
}

function v2Type(context: RequestContext): string | undefined {
  return documentType(context, v2ProtobufTypes, v2ProtobufType);
}

function v3Type(context: RequestContext): string | undefined {
  return documentType(context, v3ProtobufTypes, v3ProtobufType);
}

/** The media type that the client prefers; undefined where it accepts none. */
function documentType(
  context: RequestContext,
  protobufNames: ReadonlySet<string>,
  protobufType: string,
): string | undefined {
  for (const { type, subtype } of parseAccept(acceptOf(context))) {
    if (type !== 'application' && type !== '*') continue;
    if (subtype === 'json' || subtype === '*') return 'application/json';
    if (protobufNames.has(`application/${subtype}`)) return protobufType;
  }
  return undefined;
}

function acceptOf({ exchange }: RequestContext): string {
  return String(exchange.headers['accept'] || '*/*');
}

/** Whether a list of entity tags matches this one (RFC 9110, 13.1.2). */
function namesTag(tags: string, etag: string): boolean {
  return tags.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag);
}

/** Sends the document, or a 304 where `If-None-Match` names its tag. */
function sendOpenApi(
  context: RequestContext,
  document: OpenApiDocument,
  contentType: string,
  options: BodyOptions,
): void {
  const { exchange } = context;
  exchange.setHeader('etag', document.etag);
  if (namesTag(String(exchange.headers['if-none-match'] ?? ''), document.etag)) {
    exchange.send(304, {});
    return;
  }
  exchange.setHeader('accept-ranges', 'bytes');
  sendBody(context, 200, contentType, [document.bytes], options);
}
