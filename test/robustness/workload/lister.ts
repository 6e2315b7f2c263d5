import { setTimeout as sleep } from 'node:timers/promises';
import { isObject } from '#shared/apimachinery/json/json.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import type { SeededRandom } from '#test/robustness/faults/seeded-random.ts';
import type { Caller } from './caller.ts';
import type { History } from './history.ts';
import { resourceNames, workResources } from './resources.ts';
import { revisionOf } from './writer.ts';

const pauseMs = [20, 200] as const;
const pageSize = 3;
type How = 'newest' | 'pages' | 'selected' | 'any' | 'exact';

/** Lists the collections in all ways that there are, until it is stopped. */
export class Lister {
  readonly #caller: Caller;
  readonly #history: History;
  readonly #namespace: string;
  readonly #random: SeededRandom;
  #stopped = false;
  readonly #running: Promise<void>;

  constructor(caller: Caller, history: History, namespace: string, random: SeededRandom) {
    this.#caller = caller;
    this.#history = history;
    this.#namespace = namespace;
    this.#random = random;
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      await this.#list(
        this.#random.weighted<How>([
          [4, 'newest'],
          [3, 'pages'],
          [2, 'selected'],
          [2, 'any'],
          [2, 'exact'],
        ]),
      );
      await sleep(this.#random.between(...pauseMs));
    }
  }

  async #list(how: How): Promise<void> {
    const resource = workResources[this.#random.pick(resourceNames)];
    const path = resource.path(this.#namespace);
    const { floor } = this.#history;
    if (how === 'exact' && floor === 0) return;
    const exact = floor - this.#random.between(0, 30);
    const query = {
      newest: '',
      pages: `?limit=${pageSize}`,
      selected: '?labelSelector=color%3Dred',
      any: '?resourceVersion=0',
      exact: `?resourceVersion=${exact}&resourceVersionMatch=Exact`,
    }[how];
    const items: string[] = [];
    let revision = 0;
    let token = '';
    do {
      const reply = await this.#caller.send(
        'GET',
        `${path}${query}${token === '' ? '' : `&continue=${encodeURIComponent(token)}`}`,
      );
      if (reply.status !== 200)
        return this.#history.refuse(`LIST ${reply.status} ${reply.said.replaceAll(/\d+/g, '…')}`);
      const pageRevision = revisionOf(reply.json);
      if (revision !== 0 && revision !== pageRevision)
        this.#history.violations.push(`pages of one list of ${resource.name} are of ${revision} and ${pageRevision}`);
      revision = pageRevision;
      items.push(...listedItems(reply.json));
      token = continueOf(reply.json);
    } while (token !== '');
    if (how === 'exact' && revision !== exact)
      this.#history.violations.push(`a list of ${resource.name} at exactly ${exact} is of ${revision}`);
    const sure = how === 'any' || how === 'exact' ? {} : { floor };
    if (sure.floor !== undefined && how !== 'pages') this.#history.know(revision);
    this.#history.lists.push({
      resource: resource.name,
      revision,
      items,
      how,
      ...sure,
      ...(how === 'selected' ? { color: 'red' } : {}),
    });
  }
}

/** `name@revision` of each item. */
export function listedItems(list: JsonObject): string[] {
  const { items } = list;
  return (Array.isArray(items) ? items : []).map((item) => {
    const { metadata } = item as { metadata: { name: string; resourceVersion: string } };
    return `${metadata.name}@${metadata.resourceVersion}`;
  });
}

function continueOf(list: JsonObject): string {
  const { metadata } = list;
  const token = metadata !== undefined && isObject(metadata) ? metadata['continue'] : undefined;
  return typeof token === 'string' ? token : '';
}
