import { createHash } from 'node:crypto';
import type { JsonValue } from '../../shared/apimachinery/json.ts';
import { getKey, isObject } from '../../shared/apimachinery/json.ts';
import { aggregatorUser } from '../apiservices/aggregator-user.ts';
import type { RemoteServer } from '../remote/remote-server.ts';
import { RetryQueue } from '../retry-queue.ts';
import { selectV2 } from './select-v2.ts';
import type { V2Parts } from './select-v2.ts';

const refreshMs = 60_000;
const firstRetryMs = 1000;
const longestRetryMs = 60_000;
const indexTimeoutMs = 5000;
const indexBytes = 1024 * 1024;
const documentTimeoutMs = 30_000;
const documentBytes = 16 * 1024 * 1024;

export interface RemoteOpenApiOptions {
  /** Undefined while it is not registered or not available. */
  readonly server: (name: string) => RemoteServer | undefined;
  /** One of our own servers has versions of the group: documents on the whole group are its. */
  readonly ownsGroup: (group: string) => boolean;
}

interface Known {
  readonly server: RemoteServer;
  /** Names of v3 documents to their addresses. */
  readonly v3: ReadonlyMap<string, string>;
  readonly v2: { readonly parts: V2Parts; readonly tag: string } | undefined;
}

/**
 * OpenAPI of the registered servers: which v3 documents they have, and their part of the v2 document. Read in the
 * background; of a server that answers something else nothing is shown.
 */
export class RemoteOpenApi {
  readonly #options: RemoteOpenApiOptions;
  readonly #known = new Map<string, Known>();
  readonly #queue: RetryQueue;
  /** Documents are large: they are not read before somebody has asked for one. */
  #v2Wanted = false;

  constructor(options: RemoteOpenApiOptions) {
    this.#options = options;
    this.#queue = new RetryQueue({ work: (name) => this.#read(name), firstDelayMs: firstRetryMs, longestDelayMs: longestRetryMs, repeatMs: refreshMs });
  }

  /** The APIService or its server changed. */
  refresh(name: string): void {
    this.#queue.add(name);
  }

  /** For the index; these win over our own, as the requests to these group versions go there. */
  v3Entries(): Map<string, string> {
    return new Map([...this.#known.values()].flatMap((known) => [...known.v3].filter(([document]) => this.#shows(known, document))));
  }

  /** The APIService whose server has a v3 document. */
  ownerOf(document: string): string | undefined {
    for (const [name, known] of this.#known) if (known.v3.has(document) && this.#shows(known, document)) return name;
    return undefined;
  }

  /** What is known for the v2 document, with a tag that changes with it. Empty when first asked for. */
  v2(): readonly { readonly parts: V2Parts; readonly tag: string }[] {
    if (!this.#v2Wanted) {
      this.#v2Wanted = true;
      for (const name of this.#known.keys()) this.refresh(name);
    }
    return [...this.#known].toSorted(([a], [b]) => (a < b ? -1 : 1)).flatMap(([, { v2 }]) => (v2 === undefined ? [] : [v2]));
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
    const before = this.#known.get(name);
    if (before?.server !== server) this.#known.set(name, { server, v3: new Map(), v2: undefined });
    const v3 = await readIndex(server);
    this.#known.set(name, { server, v3, v2: before?.server === server ? before.v2 : undefined });
    if (!this.#v2Wanted) return;
    const v2 = await readV2(server);
    if (this.#known.get(name)?.server === server) this.#known.set(name, { server, v3, v2 });
  }
}

/** Names of its group only; a server that does not know v3 has none. */
async function readIndex(server: RemoteServer): Promise<ReadonlyMap<string, string>> {
  const { status, body } = await server.fetch(server.address(), '/openapi/v3', { user: aggregatorUser, headers: ['accept', 'application/json'], timeoutMs: indexTimeoutMs, maxBytes: indexBytes });
  if (status === 404) return new Map();
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

async function readV2(server: RemoteServer): Promise<Known['v2']> {
  const { status, body } = await server.fetch(server.address(), '/openapi/v2', { user: aggregatorUser, headers: ['accept', 'application/json'], timeoutMs: documentTimeoutMs, maxBytes: documentBytes });
  if (status === 404) return undefined;
  if (status !== 200) throw new Error(`${server.name} answered ${status}`);
  const { group, version } = server.spec;
  const parts = selectV2(JSON.parse(body.toString('utf8')) as JsonValue, `/apis/${group}/${version}`);
  return { parts, tag: createHash('sha256').update(body).digest('hex') };
}
