import { LatestAnswer } from '#gateway/polling/latest-answer.ts';
import type { BackendPool } from '#gateway/proxy/backend-pool.ts';
import { internalFetch } from '#gateway/proxy/internal-request.ts';

interface IndexDocument {
  readonly paths: Readonly<Record<string, { readonly serverRelativeURL: string }>>;
}

/** How long a request for the index waits for a backend that hangs. */
const patienceMs = 500;

/** The v3 documents of the backends, from the last answer of each. */
export class V3Index {
  readonly #answers: readonly LatestAnswer<ReadonlyMap<string, string>>[];

  /** If several pools have a document of one name, that of the first pool is used. */
  constructor(pools: readonly BackendPool[]) {
    this.#answers = pools.map((pool) => new LatestAnswer(() => readIndex(pool), patienceMs));
  }

  /** URLs by document name; undefined while the first pool has never answered. */
  async entries(): Promise<Map<string, string> | undefined> {
    const indexes = await Promise.all(this.#answers.map((answer) => answer.get()));
    if (indexes[0]?.value === undefined) return undefined;
    return new Map(indexes.toReversed().flatMap(({ value }) => [...(value ?? [])]));
  }
}

async function readIndex(pool: BackendPool): Promise<ReadonlyMap<string, string>> {
  const { status, body } = await internalFetch(pool, '/openapi/v3', { accept: 'application/json' });
  if (status !== 200) throw new Error(`${pool.name} answered ${status}`);
  const { paths } = JSON.parse(body.toString('utf8')) as IndexDocument;
  return new Map(Object.entries(paths).map(([name, entry]) => [name, entry.serverRelativeURL]));
}
