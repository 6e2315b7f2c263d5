import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import type { Server } from '#test/compare/exchange.ts';
import type { Asked } from '#test/compare/patient-servers.ts';
import { mutate } from '#test/conformance/differential/mutate.ts';
import type { Random } from '#test/conformance/random-rules/random.ts';
import { pointerOf, withMember } from './object-paths.ts';
import { metadataKnobs, type Knob, type Target } from './targets.ts';

const namespaces = ['fuzz-a', 'fuzz-b'];
const typed = (type: string): Record<string, string> => ({ 'content-type': `application/${type}` });
const asAlice = { 'impersonate-user': 'alice', 'impersonate-group': 'dev' };

/** One object, and requests that make it, change it and remove it. */
export class RandomWrites {
  readonly #random: Random;
  readonly #target: Target;
  readonly #name: string;
  readonly #labels: JsonObject;
  readonly #namespace: string;
  readonly #headers: Readonly<Record<string, string>>;

  /** @param slots values of the label by which policies and webhooks choose objects */
  constructor(random: Random, target: Target, name: string, slots: readonly string[]) {
    this.#random = random;
    this.#target = target;
    this.#name = name;
    this.#labels = { slot: random.pick(slots), scenario: name };
    this.#namespace = random.pick(namespaces);
    this.#headers = random.oneOf(6) ? asAlice : {};
  }

  #path(name = '', version = this.#target.versions[0]): string {
    const { group, namespaced, resource } = this.#target;
    const root = group === '' ? '/api/v1' : `/apis/${group}/${version}`;
    return `${root}${namespaced ? `/namespaces/${this.#namespace}` : ''}/${resource}${name === '' ? '' : `/${name}`}`;
  }

  #knob(): Knob {
    return this.#random.pick(this.#random.oneOf(4) ? metadataKnobs : this.#target.knobs);
  }

  /** As it is sent, with some members set. */
  #object(name = this.#name, version = this.#target.versions[0]): JsonObject {
    const { group, kind, body } = this.#target;
    let object: JsonObject = {
      apiVersion: group === '' ? version : `${group}/${version}`,
      kind,
      metadata: { name, labels: this.#labels },
      ...body,
    };
    for (let count = this.#random.below(3); count > 0; count--) {
      const { path, values } = this.#knob();
      object = withMember(object, path, this.#random.pick(values));
    }
    return object;
  }

  #query(random = this.#random): string {
    const parts = [
      ...(random.oneOf(6) ? ['dryRun=All'] : []),
      ...(random.oneOf(6) ? [`fieldManager=${random.pick(['one', 'two'])}`] : []),
      ...(random.oneOf(8) ? [`fieldValidation=${random.pick(['Strict', 'Ignore', 'Warn'])}`] : []),
    ];
    return parts.length === 0 ? '' : `?${parts.join('&')}`;
  }

  get(): Asked {
    return { method: 'GET', path: this.#path(this.#name, this.#random.pick(this.#target.versions)) };
  }

  create(): Asked {
    const version = this.#random.pick(this.#target.versions.slice(0, this.#target.group === 'autoscaling' ? 1 : 2));
    if (this.#random.oneOf(5)) return this.#apply();
    const path = `${this.#path('', version)}${this.#query()}`;
    return { method: 'POST', path, body: this.#object(this.#name, version), headers: this.#headers };
  }

  #apply(): Asked {
    const manager = this.#random.pick(['one', 'two']);
    const query = `?fieldManager=${manager}&force=${this.#random.oneOf(6) ? 'false' : 'true'}`;
    const headers = { ...typed('apply-patch+yaml'), ...this.#headers };
    return { method: 'PATCH', path: `${this.#path(this.#name)}${query}`, body: this.#object(), headers };
  }

  /** A change of the object that each server holds. */
  change(held: (server: Server) => JsonObject): Asked {
    const { path, values } = this.#knob();
    const value = this.#random.pick(values);
    const at = `${this.#path(this.#name)}${this.#query()}`;
    const headers = this.#headers;
    const numbers = { at: this.#random.below(9999), how: this.#random.below(100), value: this.#random.below(999) };
    switch (this.#random.below(8)) {
      case 0:
      case 1:
        return {
          method: 'PUT',
          path: at,
          body: (server) => withMember(held(server), path, value),
          headers,
        };
      case 2:
        return {
          method: 'PUT',
          path: at,
          body: (server) => mutate(held(server), [numbers]),
          headers,
        };
      case 3:
        return this.#apply();
      case 4:
        return {
          method: 'PATCH',
          path: at,
          body: [{ op: 'add', path: pointerOf(path), value }],
          headers: { ...typed('json-patch+json'), ...headers },
        };
      case 5:
        return this.#subresource();
      default:
        return {
          method: 'PATCH',
          path: at,
          body: withMember({}, path.replace(/\.\d+\..*/, ''), /\.\d+\./.test(path) ? null : value),
          headers: {
            ...typed(this.#random.oneOf(2) && this.#isBuiltIn() ? 'strategic-merge-patch+json' : 'merge-patch+json'),
            ...headers,
          },
        };
    }
  }

  #isBuiltIn(): boolean {
    return !this.#target.group.endsWith('.example.com');
  }

  #subresource(): Asked {
    const { statuses = [], subresources } = this.#target;
    const chosen = this.#random.pick([...subresources, ...(statuses.length > 0 ? ['status', 'status'] : []), '']);
    const path = `${this.#path(this.#name)}/${chosen}${this.#query()}`;
    const headers = this.#headers;
    const metadata = { name: this.#name, ...(this.#random.oneOf(3) ? { labels: this.#labels } : {}) };
    switch (chosen) {
      case 'status':
        return { method: 'PATCH', path, body: { status: this.#random.pick(statuses) }, headers };
      case 'scale':
        // The reference refuses a negative number after mutating admission, this server before.
        return { method: 'PATCH', path, body: { spec: { replicas: this.#random.pick([0, 2, 7]) } }, headers };
      case 'eviction':
        return { method: 'POST', path, body: { apiVersion: 'policy/v1', kind: 'Eviction', metadata }, headers };
      case 'binding':
        return { method: 'POST', path, body: { metadata, target: { kind: 'Node', name: 'n' } }, headers };
      case 'ephemeralcontainers':
        return {
          method: 'PATCH',
          path,
          body: { spec: { ephemeralContainers: [{ name: 'e', image: this.#random.pick(['i', 'bad']) }] } },
          headers: { ...typed('strategic-merge-patch+json'), ...headers },
        };
      default:
        return this.#apply();
    }
  }

  /** One object, or all of the scenario. */
  remove(): Asked {
    const headers = this.#headers;
    if (this.#random.oneOf(4))
      return { method: 'DELETE', path: `${this.#path()}?labelSelector=scenario%3D${this.#name}`, headers };
    const options = this.#random.pick<JsonValue>([
      {},
      { gracePeriodSeconds: 0 },
      { propagationPolicy: 'Background' },
      { dryRun: ['All'] },
    ]);
    return { method: 'DELETE', path: this.#path(this.#name), body: options, headers };
  }
}
