import type { ApiClient } from '#servers/controllers/client/api-client.ts';
import { discoverResources, groupOf, type ApiResource } from '#servers/controllers/client/discovery.ts';

/** Resources are asked for again at most so often. */
const freshMs = 500;

/** Thrown for a kind that is not served; it may be served later. */
export class UnknownKindError extends Error {
  override readonly name = 'UnknownKindError';
}

/** Finds the resource of a kind. */
export class ResourceTable {
  readonly #client: ApiClient;
  #resources: Promise<readonly ApiResource[]> | undefined;
  #readMs = 0;

  constructor(client: ApiClient) {
    this.#client = client;
  }

  /** All resources, as they are now. */
  read(): Promise<readonly ApiResource[]> {
    this.#readMs = performance.now();
    const reading = discoverResources(this.#client).then(({ resources }) => resources);
    this.#resources = reading;
    reading.catch(() => {
      if (this.#resources === reading) this.#resources = undefined;
    });
    return reading;
  }

  /** @throws UnknownKindError (as a rejection) */
  async find(apiVersion: string, kind: string): Promise<ApiResource> {
    const group = groupOf(apiVersion);
    const isWanted = (resource: ApiResource): boolean => resource.kind === kind && resource.group === group;
    const known = (await (this.#resources ?? this.read())).find(isWanted);
    if (known !== undefined) return known;
    const found = performance.now() - this.#readMs < freshMs ? undefined : (await this.read()).find(isWanted);
    if (found === undefined) throw new UnknownKindError(`no resource is served for ${kind} of ${apiVersion}`);
    return found;
  }
}
