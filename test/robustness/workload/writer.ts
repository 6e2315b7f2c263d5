import { setTimeout as sleep } from 'node:timers/promises';
import { isObject } from '#shared/apimachinery/json/json.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import type { SeededRandom } from '#test/robustness/faults/seeded-random.ts';
import { describeObject } from '#test/robustness/model/stored-object.ts';
import type { Caller, Reply } from './caller.ts';
import type { History, Outcome, WriteRecord } from './history.ts';
import { workResources } from './resources.ts';
import type { ResourceName, WorkResource } from './resources.ts';

/** The newest that any writer saw of each object, so that several go for the same revision. */
export type Knowledge = Map<string, JsonObject>;

const pauseMs = [5, 50] as const;
const resourceWeights: readonly (readonly [number, ResourceName])[] = [
  [5, 'configmaps'],
  [3, 'widgets'],
  [2, 'services'],
];
type Action = WriteRecord['verb'] | 'guarded-patch' | 'blind-delete' | 'get';
const actionWeights: readonly (readonly [number, Action])[] = [
  [8, 'replace'],
  [4, 'patch'],
  [2, 'guarded-patch'],
  [3, 'delete'],
  [1, 'blind-delete'],
  [2, 'get'],
  [1, 'create'],
];

export interface WriterOptions {
  readonly name: string;
  readonly caller: Caller;
  readonly history: History;
  readonly knowledge: Knowledge;
  readonly namespace: string;
  readonly random: SeededRandom;
}

/** Creates, replaces, patches and deletes a few objects that all writers share, until it is stopped. */
export class Writer {
  readonly #options: WriterOptions;
  #stopped = false;
  readonly #running: Promise<void>;

  constructor(options: WriterOptions) {
    this.#options = options;
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#running;
  }

  async #run(): Promise<void> {
    const { random } = this.#options;
    while (!this.#stopped) {
      await this.#step();
      await sleep(random.between(...pauseMs));
    }
  }

  async #step(): Promise<void> {
    const { random, knowledge } = this.#options;
    const resource = workResources[random.weighted(resourceWeights)];
    const name = `${resource.name}-${random.between(1, resource.names)}`;
    const known = knowledge.get(name);
    const action = random.weighted(actionWeights);
    if (known === undefined || action === 'create')
      return random.chance(0.8) ? this.#create(resource, name) : this.#get(resource, name);
    switch (action) {
      case 'replace':
        return this.#replace(resource, name, known);
      case 'patch':
        return this.#patch(resource, name, undefined);
      case 'guarded-patch':
        return this.#patch(resource, name, revisionOf(known));
      case 'delete':
        return this.#delete(resource, name, revisionOf(known));
      case 'blind-delete':
        return this.#delete(resource, name, undefined);
      default:
        return this.#get(resource, name);
    }
  }

  async #create(resource: WorkResource, name: string): Promise<void> {
    const { random } = this.#options;
    const [mark, color] = [this.#mark(), randomColor(random)];
    await this.#write({ resource, name, verb: 'create', mark }, 'POST', resource.path(this.#options.namespace), {
      body: resource.build(name, mark, color, random.between(0, 4_000)),
    });
  }

  async #replace(resource: WorkResource, name: string, known: JsonObject): Promise<void> {
    const mark = this.#mark();
    const body = merge(known, resource.patch(mark, randomColor(this.#options.random)));
    await this.#write(
      { resource, name, verb: 'replace', mark, precondition: revisionOf(known) },
      'PUT',
      this.#path(resource, name),
      { body },
    );
  }

  async #patch(resource: WorkResource, name: string, precondition: number | undefined): Promise<void> {
    const mark = this.#mark();
    const change = resource.patch(mark, randomColor(this.#options.random));
    const body =
      precondition === undefined ? change : merge(change, { metadata: { resourceVersion: String(precondition) } });
    await this.#write(
      { resource, name, verb: 'patch', mark, ...(precondition === undefined ? {} : { precondition }) },
      'PATCH',
      this.#path(resource, name),
      { body, headers: { 'content-type': 'application/merge-patch+json' } },
    );
  }

  async #delete(resource: WorkResource, name: string, precondition: number | undefined): Promise<void> {
    const body =
      precondition === undefined ? {} : { body: { preconditions: { resourceVersion: String(precondition) } } };
    await this.#write(
      { resource, name, verb: 'delete', mark: this.#mark(), ...(precondition === undefined ? {} : { precondition }) },
      'DELETE',
      this.#path(resource, name),
      body,
    );
  }

  async #get(resource: WorkResource, name: string): Promise<void> {
    const { caller, history, knowledge } = this.#options;
    const { floor } = history;
    const reply = await caller.send('GET', this.#path(resource, name));
    if (reply.status === 404) {
      knowledge.delete(name);
      history.gets.push({ resource: resource.name, name, floor });
    } else if (reply.status === 200) {
      const { mark, torn } = describeObject(reply.json);
      this.#learn(name, reply.json);
      history.gets.push({
        resource: resource.name,
        name,
        floor,
        found: { mark, torn, revision: revisionOf(reply.json) },
      });
    } else history.refuse(`GET ${reply.status} ${reply.said}`);
  }

  async #write(
    what: { resource: WorkResource; name: string; verb: WriteRecord['verb']; mark: string; precondition?: number },
    method: string,
    path: string,
    options: { body?: JsonObject; headers?: Record<string, string> },
  ): Promise<void> {
    const { caller, history, knowledge } = this.#options;
    const { floor } = history;
    const reply = await caller.send(method, path, options);
    const outcome = outcomeOf(reply);
    const deletes = what.verb === 'delete';
    const revision = outcome === 'acknowledged' && !deletes ? { revision: revisionOf(reply.json) } : {};
    history.writes.push({
      ...what,
      resource: what.resource.name,
      floor,
      outcome,
      status: reply.status,
      said: reply.said,
      ...revision,
    });
    if (outcome === 'acknowledged') {
      if (deletes) knowledge.delete(what.name);
      else this.#learn(what.name, reply.json);
      return;
    }
    history.refuse(`${what.verb} ${reply.status} ${reply.said.replaceAll(/[\w-]+-\d+/g, '…')}`);
    if (reply.status === 404) knowledge.delete(what.name);
    if (reply.status === 409 || reply.status === 0) await this.#get(what.resource, what.name);
    if (reply.retryAfter) await sleep(this.#options.random.between(20, 200));
  }

  #learn(name: string, object: JsonObject): void {
    const { history, knowledge } = this.#options;
    history.know(revisionOf(object));
    const known = knowledge.get(name);
    if (known === undefined || revisionOf(known) < revisionOf(object)) knowledge.set(name, object);
  }

  #path(resource: WorkResource, name: string): string {
    return `${resource.path(this.#options.namespace)}/${name}`;
  }

  #mark(): string {
    return this.#options.history.newMark(this.#options.name);
  }
}

/** A server that names a time to try again says that nothing happened. */
export function outcomeOf(reply: Reply): Outcome {
  if (reply.status >= 200 && reply.status < 300) return 'acknowledged';
  if (reply.status >= 400 && (reply.status < 500 || reply.retryAfter)) return 'refused';
  return 'unknown';
}

export function revisionOf(object: JsonObject): number {
  const { metadata } = object;
  const text = metadata !== undefined && isObject(metadata) ? metadata['resourceVersion'] : undefined;
  return typeof text === 'string' ? Number(text) : 0;
}

function randomColor(random: SeededRandom): string {
  return random.pick(['red', 'blue', 'green']);
}

function merge(target: JsonObject, change: JsonObject): JsonObject {
  const merged = { ...target };
  for (const [key, value] of Object.entries(change)) {
    const before = merged[key];
    merged[key] = before !== undefined && isObject(before) && isObject(value) ? merge(before, value) : value;
  }
  return merged;
}
