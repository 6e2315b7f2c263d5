import type { AdmissionAttributes, AdmissionOperation, AdmissionPlugin } from '#shared/admission/contract/admission.ts';
import type { AuthorizeAccess } from '#shared/admission/contract/authorize.ts';
import { ObjectLister, type ObjectCaches } from '#shared/admission/contract/object-lister.ts';
import { refuseAdmission } from '#shared/admission/contract/refusal.ts';
import { holdsRulesOfUsers } from '#shared/admission/matching/exempt-resources.ts';
import { newTimeout, type StatusError } from '#shared/apimachinery/errors/status.ts';
import type { GroupResource } from '#shared/apimachinery/gvk.ts';
import type { WebhookCaller } from './call-webhook.ts';
import { WebhookMatcher } from './match-webhook.ts';
import type { PlacedWebhook } from './webhook-snapshot.ts';
import type { WebhookSource } from './webhook-source.ts';

export interface WebhookDependencies {
  readonly caches: ObjectCaches;
  readonly caller: WebhookCaller;
  readonly authorize: AuthorizeAccess;
}

/** How long a request waits for the configurations while the process starts. */
const readyWithinMs = 10_000;

/** The base of both plugins: the webhooks of one kind of configuration, and which of them a request concerns. */
export abstract class WebhookPlugin implements AdmissionPlugin {
  abstract readonly name: string;
  protected readonly caller: WebhookCaller;
  readonly #source: WebhookSource;
  readonly #namespaces: ObjectLister;
  readonly #authorize: AuthorizeAccess;

  constructor(source: WebhookSource, { caches, caller, authorize }: WebhookDependencies) {
    this.caller = caller;
    this.#source = source;
    this.#namespaces = new ObjectLister(caches, '', 'namespaces');
    this.#authorize = authorize;
  }

  /** Until the configurations are known, any of them might want any request. */
  handles(operation: AdmissionOperation, resource: GroupResource): boolean {
    // Manifests can be mended without the API, so their webhooks are asked about rules of users, too.
    if (holdsRulesOfUsers(resource)) return this.#source.fixed.about(operation, resource).length > 0;
    return !this.#source.isReady() || this.#source.snapshot.about(operation, resource).length > 0;
  }

  onHandlesChanged(changed: () => void): void {
    this.#source.onChange(changed);
  }

  ready(): Promise<void> {
    return this.#source.ready();
  }

  /** @throws StatusError 403 while the configurations are not known */
  protected async webhooksFor(attributes: AdmissionAttributes): Promise<readonly PlacedWebhook[]> {
    const { operation, resource } = attributes;
    if (holdsRulesOfUsers(resource)) return this.#source.fixed.about(operation, resource);
    if (!this.#source.isReady()) await this.#untilReady(attributes);
    return this.#source.snapshot.about(operation, resource);
  }

  protected matcher(attributes: AdmissionAttributes): WebhookMatcher {
    return new WebhookMatcher(attributes, this.#namespaces, this.#authorize);
  }

  async #untilReady(attributes: AdmissionAttributes): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, readyWithinMs);
    });
    await Promise.race([this.#source.ready().catch(() => undefined), late]);
    clearTimeout(timer);
    // A source that was closed meanwhile is not ready, either.
    if (!this.#source.isReady()) throw refuseAdmission(attributes, 'not yet ready to handle request');
  }
}

/** The error where the time of a request is over, or its client is gone; undefined while somebody waits for it. */
export function overdue({ deadlineMs = Infinity, exchange }: AdmissionAttributes): StatusError | undefined {
  if (performance.now() < deadlineMs && exchange?.closed !== true) return undefined;
  return newTimeout('request did not complete within requested timeout', 0);
}
