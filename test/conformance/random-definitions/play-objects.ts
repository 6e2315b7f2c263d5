import { isObject, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import type { Exchange } from '#test/compare/exchange.ts';
import { isGood, type Asked, type PatientServers } from '#test/compare/patient-servers.ts';
import type { Random } from '#test/conformance/random-rules/random.ts';
import { kind, plural, type RandomDefinition, type RandomVersion } from './random-definition.ts';
import { changedValue, randomValue } from './random-value.ts';

const objects = 6;
const changes = 3;
const asTable = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };

/** Objects of a definition: created, changed in every way, and read in every version and form. */
export async function playObjects(
  random: Random,
  servers: PatientServers,
  definition: RandomDefinition,
): Promise<void> {
  const player = new Player(random, servers, definition);
  for (let index = 0; index < objects; index++) await player.play(`o${index}`);
  for (const { name } of definition.versions) {
    await player.read(player.path(name), 'lists');
    await player.read(player.path(name), 'Tables', asTable);
  }
}

class Player {
  readonly #random: Random;
  readonly #servers: PatientServers;
  readonly #definition: RandomDefinition;

  constructor(random: Random, servers: PatientServers, definition: RandomDefinition) {
    this.#random = random;
    this.#servers = servers;
    this.#definition = definition;
  }

  path(version: string, name = ''): string {
    const { group, namespaced } = this.#definition;
    return `/apis/${group}/${version}${namespaced ? '/namespaces/default' : ''}/${plural}${name && `/${name}`}`;
  }

  async read(path: string, part: string, headers?: Readonly<Record<string, string>>): Promise<void> {
    await this.#servers.compare(part, { method: 'GET', path, ...(headers && { headers }) }, () => this.#about());
  }

  #about(sent?: JsonValue): string {
    const { object } = this.#definition;
    return `${sent === undefined ? '' : `${JSON.stringify(sent)} under `}${JSON.stringify(object['spec'])}`;
  }

  async play(name: string): Promise<void> {
    const version = this.#random.pick(this.#definition.versions);
    let spec = randomValue(this.#random, version.spec);
    const made = { method: 'POST', path: this.path(version.name), body: this.#object(version, { name }, spec) };
    if ((await this.#servers.write('created objects', made, () => this.#about(spec))) === undefined) return;
    for (let index = 0; index < changes; index++) spec = await this.#change(name, spec);
    for (const { name: other, scale } of this.#definition.versions) {
      await this.read(this.path(other, name), 'read objects');
      await this.read(this.path(other, name), 'Tables', asTable);
      if (scale) await this.read(`${this.path(other, name)}/scale`, 'scales');
    }
  }

  #object({ name }: RandomVersion, metadata: JsonObject, spec: JsonValue): JsonObject {
    return { apiVersion: `${this.#definition.group}/${name}`, kind, metadata, spec };
  }

  async #change(name: string, spec: JsonValue): Promise<JsonValue> {
    const version = this.#random.pick(this.#definition.versions);
    const path = this.path(version.name, name);
    const next = changedValue(this.#random, version.spec, spec);
    const held = await this.#servers.send({ method: 'GET', path });
    if (!isGood(held)) return spec;
    const asked = this.#changing(version, name, path, next, [held.ours, held.theirs]);
    const done = await this.#servers.write('changed objects', asked, () => this.#about(next));
    return done === undefined || !isObject(done.theirs.body) ? spec : (done.theirs.body['spec'] ?? null);
  }

  /** A replacement, a merge patch, a JSON patch, an apply, or a change of the status. */
  #changing(
    version: RandomVersion,
    name: string,
    path: string,
    spec: JsonValue,
    [ours, theirs]: readonly [Exchange, Exchange],
  ): Asked {
    switch (this.#random.below(version.status ? 5 : 4)) {
      case 0:
        return { method: 'PATCH', path, body: { spec } };
      case 1:
        return {
          method: 'PATCH',
          path,
          body: [{ op: 'add', path: '/spec', value: spec }],
          headers: typed('json-patch+json'),
        };
      case 2:
        return {
          method: 'PATCH',
          path: `${path}?fieldManager=${this.#random.pick(['one', 'two'])}&force=true`,
          body: this.#object(version, { name }, spec),
          headers: typed('apply-patch+yaml'),
        };
      case 3:
        return {
          method: 'PUT',
          path,
          body: (server) => ({ ...((this.#servers.isOurs(server) ? ours : theirs).body as JsonObject), spec }),
        };
      default:
        return {
          method: 'PATCH',
          path: `${path}/status`,
          body: { status: { a: this.#random.below(3), b: 'a=b', spec } },
        };
    }
  }
}

function typed(type: string): Readonly<Record<string, string>> {
  return { 'content-type': `application/${type}` };
}
