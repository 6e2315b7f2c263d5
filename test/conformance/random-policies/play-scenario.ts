import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import { isGood, type Asked, type PatientServers } from '#test/compare/patient-servers.ts';
import type { Random } from '#test/conformance/random-rules/random.ts';
import { RandomWrites } from './random-writes.ts';
import { writtenTarget, type Round } from './round.ts';

const creations = 3;
const changes = 5;
const deletions = 2;

export interface ScenarioOptions {
  readonly servers: PatientServers;
  readonly round: Round;
  readonly name: string;
  /** What is said of a difference. */
  readonly about: (history: JsonValue) => string;
}

/** The life of an object, which ends early where the servers do not answer the same. */
export class Scenario {
  /** Whether each answer was the same at once. */
  isEqual = true;
  writes = 0;
  taken = 0;
  readonly #history: JsonValue[] = [];
  readonly #options: ScenarioOptions;
  readonly #resource: string;
  readonly #writer: RandomWrites;

  constructor(random: Random, options: ScenarioOptions) {
    const { places } = options.round;
    const target = writtenTarget(random, places);
    const near = places.filter((place) => place.target === target || random.oneOf(4));
    this.#options = options;
    this.#resource = target.resource;
    this.#writer = new RandomWrites(random, target, options.name, [...near.map(({ slot }) => slot), 'none']);
  }

  async play(): Promise<void> {
    for (let tries = 0; tries < creations; tries++) if (await this.#send('new', this.#writer.create())) break;
    for (let count = 0; count < changes && this.isEqual; count++) if (!(await this.#change())) break;
    if (this.isEqual) await this.#send('read', this.#writer.get());
    for (let tries = 0; tries < deletions && this.isEqual; tries++) await this.#send('removed', this.#writer.remove());
  }

  /** False where there is no object. */
  async #change(): Promise<boolean> {
    const { servers } = this.#options;
    const held = await servers.send(this.#writer.get());
    if (!isGood(held)) return false;
    const change = this.#writer.change(
      (server) => (servers.isOurs(server) ? held.ours : held.theirs).body as JsonObject,
    );
    await this.#send('changed', change, held.theirs.body);
    return true;
  }

  async #send(part: string, asked: Asked, held: JsonValue = null): Promise<boolean> {
    const { servers, about } = this.#options;
    const { method, path, body, headers = {} } = asked;
    this.#history.push([method, path, headers, typeof body === 'function' ? held : (body ?? null)]);
    const done = await servers.change(`${part} ${this.#resource}`, asked, () => about(this.#history));
    this.writes += 1;
    this.taken += isGood(done) ? 1 : 0;
    this.isEqual &&= done.isEqual;
    return isGood(done);
  }
}
