import { createHash } from 'node:crypto';
import { formatGroupResource, type GroupResource } from '#shared/apimachinery/gvk.ts';
import type { EncryptionConfiguration, ProviderEntry } from './encryption-configuration.ts';
import { parseGroupResource, rulesFor } from './group-resource.ts';

const identity = new Set(['identity']);

/** What the values of each resource can be decrypted by: which keys and plugins, not the keys themselves. */
export class DecryptionKeys {
  /** Digests, by rule as in `deployments.apps` or `*.apps`. */
  readonly #byRule = new Map<string, Set<string>>();

  constructor({ resources }: EncryptionConfiguration) {
    for (const { resources: rules, providers } of resources) {
      const digests = providers.flatMap(digestsOf);
      for (const text of rules) {
        const rule = formatGroupResource(parseGroupResource(text));
        this.#byRule.set(rule, new Set([...(this.#byRule.get(rule) ?? []), ...digests]));
      }
    }
  }

  /** Whether all that decrypts values of the resource is still among the later ones. */
  areIn(later: DecryptionKeys, resource: GroupResource): boolean {
    return this.#of(resource).isSubsetOf(later.#of(resource));
  }

  #of(resource: GroupResource): ReadonlySet<string> {
    const rules = rulesFor(resource).map((rule) => this.#byRule.get(rule));
    return rules.find((digests) => digests !== undefined) ?? identity;
  }
}

function digestsOf({ aesgcm, aescbc, secretbox, kms }: ProviderEntry): string[] {
  const local = Object.entries({ aesgcm, aescbc, secretbox }).flatMap(([kind, keys = []]) =>
    keys.map(({ name, secret }) => digest(kind, name, secret)),
  );
  if (kms !== undefined) return [digest('kms', kms.apiVersion, kms.name, kms.endpoint)];
  return local.length > 0 ? local : [...identity];
}

function digest(...parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64');
}
