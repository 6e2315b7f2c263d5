import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { inSlices, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { withCborMedia } from './cbor-media.ts';
import { encodedTexts, finishedDocument, type OpenApiDocument } from './document-bytes.ts';
import { generalPaths, versionPaths } from './document-paths.ts';
import type { ServedVersion } from './document-paths.ts';
import { pausing, v2Document, v2Message, v3Document } from './document-text.ts';
import type { DocumentOptions } from './document-text.ts';
import { rootOf } from './group-names.ts';
import type { Operation, Paths } from './operation.ts';

/** Documents are cached up to this many bytes in total; the v2 document alone has about two million. */
const cacheBytes = 6 * 1024 * 1024;

/**
 * The OpenAPI documents of the built-in resources that a server serves. Each document is made at its first request, in
 * slices between other work; concurrent requests share the work. A new set of versions needs a new instance.
 */
export class OpenApiDocuments {
  readonly #context: DocumentOptions;
  readonly #versions: readonly ServedVersion[];
  readonly #general: ReadonlyMap<string, Paths>;
  readonly #hash: string;
  readonly #finished = new LRUCache<string, OpenApiDocument>({
    maxSize: cacheBytes,
    sizeCalculation: ({ bytes }) => bytes.length,
  });
  readonly #pending = new Map<string, Promise<OpenApiDocument>>();

  /** `build` names the program's build, so that a new build gets new document URLs. */
  constructor(context: DocumentOptions, versions: readonly ServedVersion[], build: string) {
    this.#context = context;
    this.#versions = versions;
    this.#general = context.custom === undefined ? generalPaths(versions) : new Map();
    this.#hash = context.cbor === true ? `${build} with CBOR` : build;
  }

  /** Names of the v3 documents: `api/v1`, `apis/apps/v1`, `version`; a name is the path after `/openapi/v3/`. */
  v3Names(): string[] {
    const named = this.#versions.map(({ group, version }) => rootOf(group, version));
    return [...named, ...this.#general.keys()].toSorted();
  }

  /** Entries of `/openapi/v3`, by name. The gateway joins the entries of all backends into one {@link v3Index}. */
  v3Entries(): Map<string, string> {
    return new Map(this.v3Names().map((name) => [name, `/openapi/v3/${name}?hash=${this.#addressHash(name)}`]));
  }

  /** `/openapi/v3/<name>`, or undefined where there is no such document. */
  v3(name: string): Promise<OpenApiDocument> | undefined {
    const of = this.#versions.find(({ group, version }) => rootOf(group, version) === name);
    if (of !== undefined) return this.#make(name, () => encodedTexts(this.#v3Parts(of)));
    const general = this.#general.get(name);
    return general === undefined ? undefined : this.#make(name, () => encodedTexts(v3Document(this.#context, general)));
  }

  /** The hash in a document's URL, for the redirect from an outdated `?hash=`. */
  v3Hash(name: string): string | undefined {
    return this.v3Names().includes(name) ? this.#addressHash(name) : undefined;
  }

  /** `/openapi/v2`. */
  v2(): Promise<OpenApiDocument> {
    return this.#make('v2', () => encodedTexts(this.#v2Parts()));
  }

  /** `/openapi/v2` as protobuf, which kubectl requests. */
  v2Protobuf(): Promise<OpenApiDocument> {
    return this.#make('v2 protobuf', () => this.#v2Message());
  }

  *#v3Parts(of: ServedVersion): Generator<string> {
    yield* v3Document(this.#context, yield* this.#pathsOf(of), of);
  }

  *#v2Parts(): Generator<string> {
    yield* v2Document(this.#context, yield* this.#allPaths());
  }

  *#v2Message(): Steps<Buffer[]> {
    return yield* v2Message(this.#context, yield* this.#allPaths());
  }

  *#allPaths(): Generator<string, Paths> {
    const all: [string, readonly Operation[]][] = [...this.#general.values()].flatMap((paths) => [...paths]);
    for (const version of this.#versions) all.push(...(yield* this.#pathsOf(version)));
    return new Map(all.toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }

  *#pathsOf(of: ServedVersion): Generator<string, Paths> {
    const { custom, cbor } = this.#context;
    if (custom !== undefined) return yield* pausing(custom.paths(of), '');
    const paths = yield* versionPaths(this.#context, of);
    return cbor === true ? withCborMedia(paths) : paths;
  }

  /**
   * The hash in a document's URL, computed from what determines the content, so that the index can be built without the
   * documents.
   */
  #addressHash(name: string): string {
    const of = this.#versions.find(({ group, version }) => rootOf(group, version) === name);
    const resources = of?.resources.map(({ resource, subresources }) => [resource, subresources.length]);
    return sha512(JSON.stringify([this.#hash, name, resources]));
  }

  #make(name: string, chunks: () => Steps<Buffer[]>): Promise<OpenApiDocument> {
    const finished = this.#finished.get(name);
    if (finished !== undefined) return Promise.resolve(finished);
    let pending = this.#pending.get(name);
    if (pending === undefined) {
      pending = this.#build(name, chunks).finally(() => this.#pending.delete(name));
      this.#pending.set(name, pending);
    }
    return pending;
  }

  async #build(name: string, chunks: () => Steps<Buffer[]>): Promise<OpenApiDocument> {
    const document = await inSlices(finished(chunks()));
    this.#finished.set(name, document);
    return document;
  }
}

function* finished(chunks: Steps<Buffer[]>): Steps<OpenApiDocument> {
  return yield* finishedDocument(yield* chunks);
}

/** The response at `/openapi/v3`, from the entries of one or several servers. */
export function v3Index(entries: ReadonlyMap<string, string>): string {
  const sorted = [...entries].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify({
    paths: Object.fromEntries(sorted.map(([name, serverRelativeURL]) => [name, { serverRelativeURL }])),
  });
}

function sha512(of: string): string {
  return createHash('sha512').update(of).digest('hex').toUpperCase();
}
