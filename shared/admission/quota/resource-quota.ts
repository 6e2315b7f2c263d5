import type { LimitedResource } from '#shared/admission/configuration/quota-configuration.ts';
import type { AdmissionAttributes, AdmissionOperation, AdmissionPlugin } from '#shared/admission/contract/admission.ts';
import { isClaims, isCore, isPods } from '#shared/admission/contract/attribute-match.ts';
import { ObjectLister, type ObjectCaches } from '#shared/admission/contract/object-lister.ts';
import type { GroupResource } from '#shared/apimachinery/gvk.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import { checkRequest } from './check-request.ts';
import { ClaimQuota } from './claim-quota.ts';
import { ObjectCountQuota } from './object-count-quota.ts';
import { PodQuota } from './pod-quota.ts';
import type { QuotaEvaluator } from './quota-evaluator.ts';
import { QuotaLedger, type WriteQuotaStatus } from './quota-ledger.ts';
import { sameAmounts, usageOf, withUsed, type QuotaUsage } from './quota-usage.ts';
import { ServiceQuota } from './service-quota.ts';

/** Resources without quota: kinds that are never stored, and events, which come by the thousands. */
const ignored: ReadonlySet<string> = new Set([
  'bindings.',
  'componentstatuses.',
  'events.',
  'events.events.k8s.io',
  'tokenreviews.authentication.k8s.io',
  'selfsubjectreviews.authentication.k8s.io',
  'subjectaccessreviews.authorization.k8s.io',
  'selfsubjectaccessreviews.authorization.k8s.io',
  'localsubjectaccessreviews.authorization.k8s.io',
  'selfsubjectrulesreviews.authorization.k8s.io',
]);
/** How often the usage is written again after a conflict with another writer. */
const maxRetries = 3;

/** A request that waits to be charged. */
interface Waiter {
  readonly attributes: AdmissionAttributes;
  decide(error?: unknown): void;
  decided: boolean;
}

/**
 * Refuses objects that would exceed a quota of their namespace (apiserver/pkg/admission/plugin/resourcequota). Requests
 * of one namespace are charged in turn; requests that arrive during a charge are charged together in the next.
 */
export class ResourceQuota implements AdmissionPlugin {
  readonly name = 'ResourceQuota';
  readonly #quotas: ObjectLister;
  readonly #ledger: QuotaLedger;
  readonly #evaluators = new Map<string, QuotaEvaluator>([
    ['pods.', new PodQuota()],
    ['services.', new ServiceQuota()],
    ['persistentvolumeclaims.', new ClaimQuota()],
  ]);
  /** By namespace; the list exists while a request of the namespace is being charged. */
  readonly #waiting = new Map<string, Waiter[]>();

  readonly #limited: readonly LimitedResource[];

  /** `limited`: what may only be used where a quota covers it. */
  constructor(caches: ObjectCaches, write: WriteQuotaStatus, limited: readonly LimitedResource[] = []) {
    this.#limited = limited;
    this.#quotas = new ObjectLister(caches, '', 'resourcequotas');
    this.#ledger = new QuotaLedger(this.#quotas, write);
  }

  handles(operation: AdmissionOperation, resource: GroupResource): boolean {
    if (isCore(resource, 'namespaces') || ignored.has(nameOf(resource))) return false;
    return (
      operation === 'CREATE' ||
      (operation === 'UPDATE' && (isPods(resource) || isClaims(resource) || isCore(resource, 'services')))
    );
  }

  async ready(): Promise<void> {
    await this.#quotas.ready();
  }

  validate(attributes: AdmissionAttributes): void | Promise<void> {
    if (attributes.namespace === '') return;
    if (!this.#quotas.isReady()) return this.#quotas.ready().then(() => this.validate(attributes));
    const isCounted = this.#limited.length > 0 || this.#quotas.hasAny(attributes.namespace);
    if (!isCounted || !this.#evaluatorOf(attributes.resource).handles(attributes)) return;
    return new Promise((resolve, reject) =>
      this.#enqueue({
        attributes,
        decided: false,
        decide(error) {
          this.decided = true;
          if (error === undefined) resolve();
          else reject(error instanceof Error ? error : new Error(String(error)));
        },
      }),
    );
  }

  #evaluatorOf(resource: GroupResource): QuotaEvaluator {
    const name = nameOf(resource);
    let evaluator = this.#evaluators.get(name);
    if (evaluator === undefined) this.#evaluators.set(name, (evaluator = new ObjectCountQuota(resource)));
    return evaluator;
  }

  #enqueue(waiter: Waiter): void {
    const { namespace } = waiter.attributes;
    const waiting = this.#waiting.get(namespace);
    if (waiting !== undefined) {
      waiting.push(waiter);
      return;
    }
    this.#waiting.set(namespace, [waiter]);
    void this.#drain(namespace);
  }

  async #drain(namespace: string): Promise<void> {
    for (let batch = this.#waiting.get(namespace) ?? []; batch.length > 0; batch = this.#waiting.get(namespace) ?? []) {
      this.#waiting.set(namespace, []);
      try {
        await this.#charge(this.#ledger.list(namespace), batch, maxRetries);
      } catch (error) {
        for (const waiter of batch) if (!waiter.decided) waiter.decide(error);
      }
    }
    this.#waiting.delete(namespace);
  }

  /**
   * Charges the requests to the quotas and writes the quotas that changed. Requests that change no quota are admitted
   * at once.
   */
  async #charge(objects: readonly KubeObject[], batch: readonly Waiter[], retries: number): Promise<void> {
    const before = objects.map((object) => usageOf(object));
    let quotas: readonly QuotaUsage[] = before;
    for (const waiter of batch) if (!waiter.decided) quotas = this.#chargeOne(quotas, waiter);
    const changed = quotas.filter((quota, index) => !sameAmounts(quota.used, before[index]?.used ?? new Map()));
    const failed: QuotaUsage[] = [];
    let lastError: unknown;
    for (const quota of changed) {
      try {
        await this.#ledger.write(withUsed(quota));
      } catch (error) {
        failed.push(quota);
        lastError = error;
      }
    }
    const open = batch.filter((waiter) => !waiter.decided);
    if (failed.length === 0 || retries === 0) {
      for (const waiter of open) waiter.decide(lastError);
      return;
    }
    const newest = await Promise.all(failed.map(({ object }) => this.#ledger.read(object)));
    await this.#charge(
      newest.filter((object) => object !== undefined),
      open,
      retries - 1,
    );
  }

  #chargeOne(quotas: readonly QuotaUsage[], waiter: Waiter): readonly QuotaUsage[] {
    const { attributes } = waiter;
    try {
      const charged = checkRequest(quotas, attributes, this.#evaluatorOf(attributes.resource), this.#limited);
      const changes = charged.some((quota, index) => !sameAmounts(quota.used, quotas[index]?.used ?? new Map()));
      if (attributes.dryRun || !changes) waiter.decide();
      return attributes.dryRun ? quotas : charged;
    } catch (error) {
      waiter.decide(error);
      return quotas;
    }
  }
}

function nameOf({ group, resource }: GroupResource): string {
  return `${resource}.${group}`;
}
