import type { Buffer } from 'node:buffer';
import { LatestAnswer } from '#gateway/polling/latest-answer.ts';
import type { BackendPool } from '#gateway/proxy/backend-pool.ts';
import { internalFetch } from '#gateway/proxy/internal-request.ts';
import { newServiceUnavailable } from '#shared/apimachinery/errors/status.ts';
import { inSlices } from '#shared/apimachinery/slices/slices.ts';
import { finishedDocument, type OpenApiDocument } from '#shared/endpoints/openapi/document-bytes.ts';
import type { OpenApiDocuments } from '#shared/endpoints/openapi/openapi-documents.ts';
import { v2ProtobufType } from '#shared/endpoints/openapi/openapi-handler.ts';
import type { Logger } from '#shared/observability/logger.ts';
import { addedTo, mergeV2, mergeV2Protobuf } from './merge-v2.ts';
import type { RemoteOpenApi } from './remote-openapi.ts';
import type { SelectedV2 } from './select-v2.ts';
import { splitDocument } from './split-document.ts';

const jsonType = 'application/json';
/** How long a request waits for the new document; building it takes up to a second when everything has changed. */
const patienceMs = 2000;

export interface MergedV2Sources {
  readonly core: BackendPool;
  readonly extensions: BackendPool;
  /**
   * The document of group versions that neither backend's document has: the gateway's own, and apiextensions.k8s.io.
   */
  readonly own: Pick<OpenApiDocuments, 'v2'>;
  readonly remote: Pick<RemoteOpenApi, 'v2'>;
  readonly logger: Pick<Logger, 'warning'>;
}

/** The document, and the tags of the documents that it was made of. */
interface Merged {
  readonly document: OpenApiDocument;
  readonly core: string;
  readonly extensions: string;
  readonly registered: string;
}

interface Part {
  readonly tag: string;
  /** Undefined if the document is unchanged since the known tag. */
  readonly body: Buffer | undefined;
}

/** `/openapi/v2` of all servers together; a request rebuilds it if one of its parts has changed. */
export class MergedV2 {
  readonly #sources: MergedV2Sources;
  readonly #json = new LatestAnswer<Merged>((known) => this.#make(jsonType, known), patienceMs);
  readonly #protobuf = new LatestAnswer<Merged>((known) => this.#make(v2ProtobufType, known), patienceMs);

  constructor(sources: MergedV2Sources) {
    this.#sources = sources;
  }

  /** The merged document as JSON. Rejects with 503 if core has never answered. */
  json(): Promise<OpenApiDocument> {
    return this.#latest(this.#json);
  }

  protobuf(): Promise<OpenApiDocument> {
    return this.#latest(this.#protobuf);
  }

  async #latest(answer: LatestAnswer<Merged>): Promise<OpenApiDocument> {
    const { value } = await answer.get();
    if (value === undefined)
      throw newServiceUnavailable(`the ${this.#sources.core.name} server has no OpenAPI document yet`);
    return value.document;
  }

  async #make(type: string, known: Merged | undefined): Promise<Merged> {
    const { core, extensions, remote } = this.#sources;
    const parts = remote.v2();
    const registered = parts.map(({ tag }) => tag).join();
    const [ofCore, ofExtensions] = await Promise.all([
      read(core, type, known?.core),
      this.#ofExtensions(known?.extensions),
    ]);
    if (
      known !== undefined &&
      ofCore.body === undefined &&
      ofExtensions.body === undefined &&
      known.registered === registered
    )
      return known;
    const base = ofCore.body ?? (await whole(core, type));
    const custom =
      ofExtensions.body ??
      (ofExtensions.tag === '' ? undefined : await whole(extensions, jsonType).catch(() => undefined));
    const chunks = await this.#merge(
      type,
      base,
      custom,
      parts.map((part) => part.parts),
    );
    return {
      document: await inSlices(finishedDocument(chunks)),
      core: ofCore.tag,
      extensions: custom === undefined ? '' : ofExtensions.tag,
      registered,
    };
  }

  /** The extensions server's part; while that server is unavailable, its document counts as unchanged. */
  async #ofExtensions(known: string | undefined): Promise<Part> {
    return await read(this.#sources.extensions, jsonType, known).catch(() => ({ tag: known ?? '', body: undefined }));
  }

  #warn(name: string, error: unknown): void {
    this.#sources.logger.warning('OpenAPI v2 in protobuf shows a member as an object of any content', {
      name,
      reason: error instanceof Error ? error.message : String(error),
    });
  }

  async #merge(
    type: string,
    base: Buffer,
    custom: Buffer | undefined,
    registered: readonly SelectedV2[],
  ): Promise<Buffer[]> {
    const { core, own } = this.#sources;
    const ownDocuments = [(await own.v2()).bytes, ...(custom === undefined ? [] : [custom])];
    const json = await inSlices(splitDocument(type === jsonType ? base : await whole(core, jsonType)));
    const additions = await inSlices(addedTo(json, ownDocuments, registered));
    return inSlices(
      type === jsonType
        ? mergeV2(json, additions)
        : mergeV2Protobuf(base, additions, (name, error) => this.#warn(name, error)),
    );
  }
}

async function read(pool: BackendPool, type: string, known: string | undefined): Promise<Part> {
  const { status, headers, body } = await internalFetch(pool, '/openapi/v2', {
    accept: type,
    etag: known === '' ? undefined : known,
  });
  if (status === 304 && known !== undefined) return { tag: known, body: undefined };
  if (status !== 200) throw new Error(`${pool.name} answered ${status}`);
  return { tag: String(headers['etag'] ?? ''), body };
}

async function whole(pool: BackendPool, type: string): Promise<Buffer> {
  const { body } = await read(pool, type, undefined);
  if (body === undefined) throw new Error(`${pool.name} answered without a document`);
  return body;
}
