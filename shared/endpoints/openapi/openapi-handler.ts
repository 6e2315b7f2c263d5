import { Buffer } from 'node:buffer';
import type { RequestContext } from '../../request/request-context.ts';
import { sendBody } from '../responders/send-body.ts';
import { v3Index, type OpenApiDocument, type OpenApiDocuments } from './openapi-documents.ts';

/** Of `/openapi/v2` in protobuf. */
export const v2ProtobufType = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';
/** The name that older clients send: an @ stands where the registered name has a dot. */
const v2ProtobufOld = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';
const yearMs = 365 * 24 * 3600 * 1000;
const v3Root = '/openapi/v3/';

/** Where the documents of a server come from. */
export type DocumentSource = Pick<OpenApiDocuments, 'v3Entries' | 'v3Hash' | 'v3' | 'v2' | 'v2Protobuf'>;

/** Serves `/openapi/v2`, `/openapi/v3` and the documents below it (kube-openapi pkg/handler and handler3). */
export class OpenApiHandler {
  readonly #documents: DocumentSource;

  constructor(documents: DocumentSource) {
    this.#documents = documents;
  }

  async v2(context: RequestContext): Promise<void> {
    const binary = acceptsV2Protobuf(context);
    const document = await (binary ? this.#documents.v2Protobuf() : this.#documents.v2());
    context.exchange.setHeader('vary', 'Accept');
    sendOpenApi(context, document, binary ? v2ProtobufType : 'application/json');
  }

  index(context: RequestContext): void {
    sendBody(context, 200, 'text/plain; charset=utf-8', [Buffer.from(v3Index(this.#documents.v3Entries()))]);
  }

  /** A document below `/openapi/v3/`; an outdated `?hash=` is redirected, the right one may be kept for a year. */
  async v3(context: RequestContext): Promise<void> {
    const { exchange, info } = context;
    const name = info.path.slice(v3Root.length);
    const hash = this.#documents.v3Hash(name);
    if (hash === undefined) {
      exchange.send(404, {});
      return;
    }
    const asked = info.query.get('hash');
    exchange.setHeader('vary', 'Accept');
    if (asked !== null && asked !== hash) {
      exchange.send(301, { location: `${v3Root}${name}?hash=${hash}`, 'content-type': 'application/json', etag: `"${hash}"` });
      return;
    }
    const document = await this.#documents.v3(name);
    if (document === undefined) {
      exchange.send(404, {});
      return;
    }
    if (asked !== null) {
      exchange.setHeader('cache-control', 'public, immutable');
      exchange.setHeader('expires', new Date(Date.now() + yearMs).toUTCString());
    }
    sendOpenApi(context, document, 'application/json');
  }
}

/** Whether the client of `/openapi/v2` wants it in protobuf. */
export function acceptsV2Protobuf({ exchange }: RequestContext): boolean {
  const accept = String(exchange.headers['accept'] ?? '');
  return accept.includes(v2ProtobufType) || accept.includes(v2ProtobufOld);
}

/** The document, or 304 to who has it already. */
export function sendOpenApi(context: RequestContext, document: OpenApiDocument, contentType: string): void {
  const { exchange } = context;
  exchange.setHeader('etag', document.etag);
  if (exchange.headers['if-none-match'] === document.etag) exchange.send(304, {});
  else sendBody(context, 200, contentType, [document.bytes]);
}
