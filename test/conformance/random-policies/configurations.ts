import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import type { Asked, PatientServers } from '#test/compare/patient-servers.ts';
import { mutate } from '#test/conformance/differential/mutate.ts';
import type { Random } from '#test/conformance/random-rules/random.ts';

export const registrationGroup = '/apis/admissionregistration.k8s.io';

/** An object that tells servers what to admit. */
export interface Configuration {
  readonly resource: string;
  readonly version: string;
  readonly object: JsonObject;
  /** What it is at first, before it is replaced by the object. */
  readonly earlier?: JsonObject;
}

export function configuration(
  resource: string,
  kind: string,
  version: string,
  name: string,
  rest: JsonObject,
): Configuration {
  const apiVersion = `admissionregistration.k8s.io/${version}`;
  return { resource, version, object: { apiVersion, kind, metadata: { name }, ...rest } };
}

function pathOf({ resource, version }: Configuration): string {
  return `${registrationGroup}/${version}/${resource}`;
}

/** Where it is found when it was made. */
export function itemPath(made: Configuration): string {
  return `${pathOf(made)}/${String((made.object['metadata'] as JsonObject)['name'])}`;
}

export function creation(made: Configuration): Asked & { readonly body: JsonObject } {
  return { method: 'POST', path: pathOf(made), body: made.object };
}

/** Makes configurations on both servers, and compares what they say to others that are wrong. */
export class Configurator {
  readonly #random: Random;
  readonly #servers: PatientServers;
  readonly #made: string[] = [];

  constructor(random: Random, servers: PatientServers) {
    this.#random = random;
    this.#servers = servers;
  }

  /** Paths of what both servers hold now. */
  get made(): readonly string[] {
    return this.#made;
  }

  /** Whether both servers took it. */
  async make(one: Configuration): Promise<boolean> {
    const part = `new ${one.resource} ${one.version}`;
    const isMade =
      (one.earlier !== undefined && (await this.#replace({ ...one, object: one.earlier }, one))) ||
      (await this.#write(part, creation(one)));
    if (this.#random.oneOf(2)) await this.#tryWrong(part, 'POST', one);
    if (!isMade) return false;
    this.#made.push(itemPath(one));
    if (this.#random.oneOf(3)) await this.#tryWrong(`changed ${one.resource} ${one.version}`, 'PUT', one);
    return true;
  }

  /** Makes the first and replaces it by the second; what cannot be replaced is removed. */
  async #replace(first: Configuration, second: Configuration): Promise<boolean> {
    if (!(await this.#write(`new ${first.resource} ${first.version}`, creation(first)))) return false;
    const path = itemPath(second);
    const part = `changed ${second.resource} ${second.version}`;
    if (await this.#write(part, { method: 'PUT', path, body: second.object })) return true;
    await this.#servers.send({ method: 'DELETE', path });
    return false;
  }

  async #write(part: string, asked: Asked): Promise<boolean> {
    return (await this.#servers.write(part, asked, () => JSON.stringify(asked.body))) !== undefined;
  }

  async #tryWrong(part: string, method: 'POST' | 'PUT', one: Configuration): Promise<void> {
    const random = this.#random;
    const mutations = Array.from({ length: 1 + random.below(2) }, () => ({
      at: random.below(9999),
      how: random.below(100),
      value: random.below(999),
    }));
    const wrong = mutate(one.object, mutations);
    const path = `${method === 'POST' ? pathOf(one) : itemPath(one)}?dryRun=All`;
    await this.#servers.compare(part, { method, path, body: wrong }, () => JSON.stringify(wrong));
  }
}
