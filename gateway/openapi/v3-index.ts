import { LatestAnswer } from '../polling/latest-answer.ts';
import type { BackendPool } from '../proxy/backend-pool.ts';
import { internalFetch } from '../proxy/internal-fetch.ts';

interface IndexDocument {
  readonly paths: Readonly<Record<string, { readonly serverRelativeURL: string }>>;
}

/** A client of the index waits no longer for a backend that hangs. */
const patienceMs = 500;

/** Which v3 documents the backends have, as each of them said last. */
export class V3Index {
  readonly #answers: readonly LatestAnswer<ReadonlyMap<string, string>>[];

  /** Where several have a document of one name, that of the first counts. */
  constructor(pools: readonly BackendPool[]) {
    this.#answers = pools.map((pool) => new LatestAnswer(() => readIndex(pool), patienceMs));
  }

  /** Addresses by name; undefined while the first of the backends has never answered. */
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
