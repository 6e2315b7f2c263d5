import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { aggregatorUser } from '#gateway/apiservices/aggregator-user.ts';
import type { RemoteServer } from '#gateway/remote/remote-server.ts';
import type { JsonValue } from '#shared/apimachinery/json/json.ts';
import { getKey, isObject } from '#shared/apimachinery/json/json.ts';
import type { OpenApiDocument } from '#shared/endpoints/openapi/document-bytes.ts';
import { WorkQueue } from '#shared/follow/work-queue.ts';
import { selectV2 } from './select-v2.ts';
import type { SelectedV2 } from './select-v2.ts';
import { v3FromV2 } from './v3-from-v2.ts';

const refreshMs = 60_000;
const firstRetryMs = 1000;
const longestRetryMs = 60_000;
const indexTimeoutMs = 5000;
const indexBytes = 1024 * 1024;
const documentTimeoutMs = 30_000;
const documentBytes = 16 * 1024 * 1024;

export interface RemoteOpenApiOptions {
  /** Undefined while the server is not registered or not available. */
  readonly server: (name: string) => RemoteServer | undefined;
  /**
   * Whether one of our own servers serves a version of the group; it then serves the document of the whole group, too.
   */
  readonly ownsGroup: (group: string) => boolean;
}

interface Known {
  readonly server: RemoteServer;
  /** Names of the v3 documents and their URLs; undefined for a server that has only v2. */
  readonly v3: ReadonlyMap<string, string> | undefined;
  readonly v2: V2Document | undefined;
}

interface V2Document {
  readonly parts: SelectedV2;
  /** Differs for each state of the document. */
  readonly tag: string;
  /** The ETag that the server sent. */
  readonly etag: string;
}

/** A v3 document converted from v2, for a server that has only v2. */
export interface ConvertedDocument {
  /** The `hash` parameter of the document's URL. */
  readonly hash: string;
  document(): Promise<OpenApiDocument>;
}

/**
 * OpenAPI of the registered servers: which v3 documents they have, and their part of the v2 document. Read in the
 * background. A server with an invalid answer contributes nothing.
 */
export class RemoteOpenApi {
  readonly #options: RemoteOpenApiOptions;
  readonly #known = new Map<string, Known>();
  readonly #queue: WorkQueue;
  /** Whether a client has requested the v2 document; before that the servers' large documents are not read. */
  #v2Wanted = false;

  constructor(options: RemoteOpenApiOptions) {
    this.#options = options;
    this.#queue = new WorkQueue({
      name: 'open_api_aggregation_controller',
      work: (name) => this.#read(name),
      backOff: { firstMs: firstRetryMs, longestMs: longestRetryMs },
      repeatMs: refreshMs,
    });
  }

  /** Reads the documents again after a change of the APIService or its server. */
  refresh(name: string): void {
    this.#queue.add(name);
  }

  /**
   * Entries for the v3 index. They win over our own, since requests to these group versions go to the registered
   * servers.
   */
  v3Entries(): Map<string, string> {
    const entries = new Map<string, string>();
    for (const known of this.#known.values()) {
      const name = documentName(known.server);
      if (known.v3 !== undefined)
        for (const [document, url] of known.v3) if (this.#shows(known, document)) entries.set(document, url);
      if (known.v3 === undefined && known.v2 !== undefined)
        entries.set(name, `/openapi/v3/${name}?hash=${known.v2.tag}`);
    }
    return entries;
  }

  /** The name of the APIService whose server has this v3 document. */
  ownerOf(document: string): string | undefined {
    for (const [name, known] of this.#known)
      if (known.v3?.has(document) === true && this.#shows(known, document)) return name;
    return undefined;
  }

  /** The converted v3 document of a server that has only v2. */
  converted(name: string): ConvertedDocument | undefined {
    for (const { server, v3, v2 } of this.#known.values()) {
      if (v3 !== undefined || v2 === undefined || documentName(server) !== name) continue;
      return {
        hash: v2.tag,
        document: () =>
          Promise.resolve({ bytes: Buffer.from(JSON.stringify(v3FromV2(v2.parts))), etag: `"${v2.tag}"` }),
      };
    }
    return undefined;
  }

  /** The known v2 documents of the registered servers. The first call only starts to read them. */
  v2(): readonly V2Document[] {
    if (!this.#v2Wanted) {
      this.#v2Wanted = true;
      for (const name of this.#known.keys()) this.refresh(name);
    }
    return [...this.#known]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([, { v2 }]) => (v2 === undefined ? [] : [v2]));
  }

  close(): void {
    this.#queue.close();
  }

  #shows({ server }: Known, document: string): boolean {
    const { group } = server.spec;
    return document !== `apis/${group}` || !this.#options.ownsGroup(group);
  }

  async #read(name: string): Promise<void> {
    const server = this.#options.server(name);
    if (server === undefined) {
      this.#known.delete(name);
      this.#queue.forget(name);
      return;
    }
    const previous = this.#known.get(name);
    const before = previous?.server === server ? previous : undefined;
    if (before === undefined) this.#known.set(name, { server, v3: new Map(), v2: undefined });
    const v3 = await readIndex(server);
    if (v3 !== undefined) this.#set(name, { server, v3, v2: before?.v2 });
    if (v3 !== undefined && !this.#v2Wanted) return;
    this.#set(name, { server, v3, v2: await readV2(server, before?.v2) });
  }

  /** Drops the answer if the server was replaced during the request. */
  #set(name: string, known: Known): void {
    if (this.#known.get(name)?.server === known.server) this.#known.set(name, known);
  }
}

function documentName({ spec: { group, version } }: RemoteServer): string {
  return `apis/${group}/${version}`;
}

/** The v3 index of a server, limited to documents of its group; undefined for a server without v3. */
async function readIndex(server: RemoteServer): Promise<ReadonlyMap<string, string> | undefined> {
  const { status, body } = await server.fetch(server.address(), '/openapi/v3', {
    user: aggregatorUser,
    headers: ['accept', 'application/json'],
    timeoutMs: indexTimeoutMs,
    maxBytes: indexBytes,
  });
  if (status === 404) return undefined;
  if (status !== 200) throw new Error(`${server.name} answered ${status}`);
  const document = JSON.parse(body.toString('utf8')) as JsonValue;
  const paths = isObject(document) ? getKey(document, 'paths') : undefined;
  if (!isObject(paths)) throw new Error('it is no OpenAPI v3 index');
  const { group, version } = server.spec;
  const entries = [`apis/${group}`, `apis/${group}/${version}`].flatMap((name): [string, string][] => {
    const entry = getKey(paths, name);
    const url = isObject(entry) ? entry['serverRelativeURL'] : undefined;
    return typeof url === 'string' && url.startsWith(`/openapi/v3/${name}`) ? [[name, url]] : [];
  });
  return new Map(entries);
}

async function readV2(server: RemoteServer, known: V2Document | undefined): Promise<V2Document | undefined> {
  const condition = known === undefined || known.etag === '' ? [] : ['if-none-match', known.etag];
  const { status, headers, body } = await server.fetch(server.address(), '/openapi/v2', {
    user: aggregatorUser,
    headers: ['accept', 'application/json', ...condition],
    timeoutMs: documentTimeoutMs,
    maxBytes: documentBytes,
  });
  if (status === 304 && known !== undefined) return known;
  if (status === 404) return undefined;
  if (status !== 200) throw new Error(`${server.name} answered ${status}`);
  const parts = selectV2(JSON.parse(body.toString('utf8')) as JsonValue, `/${documentName(server)}`);
  return { parts, tag: createHash('sha512').update(body).digest('hex').toUpperCase(), etag: headers.etag ?? '' };
}
