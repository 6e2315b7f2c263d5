import type { ObjectLister } from '#shared/admission/contract/object-lister.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';

/**
 * Writes the status of a quota if it still has its resourceVersion; throws Conflict otherwise. Returns the stored
 * object.
 */
export type WriteQuotaStatus = (quota: KubeObject) => Promise<KubeObject>;

const maxHeld = 100;

/** The quotas with the newest known usage: usage that this process wrote counts even before the cache shows it. */
export class QuotaLedger {
  readonly #quotas: ObjectLister;
  readonly #write: WriteQuotaStatus;
  readonly #written = new Map<string, KubeObject>();

  constructor(quotas: ObjectLister, write: WriteQuotaStatus) {
    this.#quotas = quotas;
    this.#write = write;
  }

  list(namespace: string): readonly KubeObject[] {
    return this.#quotas.list(namespace).map((quota) => this.#newest(quota));
  }

  /** The quota as storage has it now; undefined if it is gone. */
  async read(quota: KubeObject): Promise<KubeObject | undefined> {
    return this.#quotas.getNewest(quota.metadata.namespace ?? '', quota.metadata.name ?? '');
  }

  async write(quota: KubeObject): Promise<void> {
    const stored = await this.#write(quota);
    const [oldest] = this.#written.keys();
    if (this.#written.size >= maxHeld && oldest !== undefined) this.#written.delete(oldest);
    this.#written.set(keyOf(stored), stored);
  }

  #newest(quota: KubeObject): KubeObject {
    const written = this.#written.get(keyOf(quota));
    if (written === undefined) return quota;
    if (Number(written.metadata.resourceVersion) > Number(quota.metadata.resourceVersion)) return written;
    this.#written.delete(keyOf(quota));
    return quota;
  }
}

function keyOf({ metadata }: KubeObject): string {
  return `${metadata.namespace ?? ''}/${metadata.name ?? ''}`;
}
