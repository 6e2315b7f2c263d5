import type { AdmissionAttributes } from '#shared/admission/contract/admission.ts';
import { isQualifiedName } from '#shared/apimachinery/validation/names.ts';
import type { AdmissionWebhook } from './admission-webhook.ts';

/** Adds an annotation of the audit event; one whose key has no domain, or a broken one, is left out. */
export function addAnnotation(attributes: AdmissionAttributes, key: string, value: string): void {
  if (key.split('/').length !== 2 || isQualifiedName(key).length > 0) return;
  attributes.addAuditAnnotation(key, value);
}

type NamedWebhook = Pick<AdmissionWebhook, 'configuration' | 'name'>;

/** What is told about one call: the keys name the round, and the place of the webhook among those that were asked. */
export class CallAnnotations {
  readonly #attributes: AdmissionAttributes;
  readonly #place: string;
  readonly #named: { readonly configuration: string; readonly webhook: string };

  constructor(attributes: AdmissionAttributes, round: number, index: number, webhook: NamedWebhook) {
    this.#attributes = attributes;
    this.#place = `round_${round}_index_${index}`;
    this.#named = { configuration: webhook.configuration, webhook: webhook.name };
  }

  failedOpen(phase: 'mutation' | 'validating'): void {
    this.#add(`failed-open.${phase}.webhook.admission.k8s.io/`, this.#named.webhook);
  }

  mutated(mutated: boolean): void {
    this.#add('mutation.webhook.admission.k8s.io/', JSON.stringify({ ...this.#named, mutated }));
  }

  /**
   * Patches hold parts of objects, so they are of events with objects.
   *
   * @param patch its JSON text
   */
  patched(patch: string): void {
    const { configuration, webhook } = this.#named;
    this.#add(
      'patch.webhook.admission.k8s.io/',
      `{"configuration":${JSON.stringify(configuration)},"webhook":${JSON.stringify(webhook)},"patch":${patch},"patchType":"JSONPatch"}`,
      'Request',
    );
  }

  #add(prefix: string, value: string, level: 'Metadata' | 'Request' = 'Metadata'): void {
    this.#attributes.addAuditAnnotation(prefix + this.#place, value, level);
  }
}
