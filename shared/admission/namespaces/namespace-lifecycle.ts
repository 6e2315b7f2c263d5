import type { AdmissionAttributes, AdmissionOperation, AdmissionPlugin } from '#shared/admission/contract/admission.ts';
import { refuseAdmission } from '#shared/admission/contract/refusal.ts';
import { newForbidden } from '#shared/apimachinery/errors/status.ts';
import { isObject } from '#shared/apimachinery/json/json.ts';
import { stringAt } from '#shared/apimachinery/object.ts';
import type { CacheEntry, WatchCache } from '#shared/watchcache/watch-cache.ts';
import { missingNamespace } from './missing-namespace.ts';

const immortal: ReadonlySet<string> = new Set(['default', 'kube-system', 'kube-public']);

/** How long after a deletion the cache may still show the namespace as active. */
const doubtMs = 30_000;
const maxDoubts = 100;

/**
 * Refuses writes in a missing namespace, creates in a terminating one, and the deletion of the three built-in
 * namespaces (apiserver/pkg/admission/plugin/namespace/lifecycle). A namespace that the cache lacks, or that was just
 * deleted, is looked up in a cache that has caught up with storage before the request is decided.
 */
export class NamespaceLifecycle implements AdmissionPlugin {
  readonly name = 'NamespaceLifecycle';
  readonly #namespaces: WatchCache;
  readonly #now: () => number;
  readonly #deletedAtMs = new Map<string, number>();

  /** `namespaces`: the watch cache of namespaces; `now`: milliseconds by a monotonic clock. */
  constructor(namespaces: WatchCache, now: () => number = () => performance.now()) {
    this.#now = now;
    this.#namespaces = namespaces;
  }

  handles(operation: AdmissionOperation): boolean {
    return operation !== 'CONNECT';
  }

  async ready(): Promise<void> {
    await this.#namespaces.ready();
  }

  admit(attributes: AdmissionAttributes): void | Promise<void> {
    const { kind, operation, namespace, name, resource } = attributes;
    if (kind.group === '' && kind.kind === 'Namespace') {
      if (operation !== 'DELETE') return;
      if (immortal.has(name))
        throw newForbidden(
          { group: resource.group, resource: resource.resource },
          name,
          'this namespace may not be deleted',
        );
      this.#doubt(name);
      return;
    }
    if (namespace === '' || operation === 'DELETE') return;
    // A 404 would reveal whether the namespace exists to users who may not know.
    if (resource.group === 'authorization.k8s.io' && resource.resource === 'localsubjectaccessreviews') return;
    const entry = this.#namespaces.isReady() ? this.#lookUp(namespace) : undefined;
    if (entry === undefined || (this.#isDoubtful(namespace) && phaseOf(entry) === 'Active'))
      return this.#judgeFresh(attributes);
    judge(attributes, entry);
  }

  async #judgeFresh(attributes: AdmissionAttributes): Promise<void> {
    await this.#namespaces.ready();
    await this.#namespaces.waitForCurrent();
    const entry = this.#lookUp(attributes.namespace);
    if (entry === undefined) throw missingNamespace(attributes.namespace);
    judge(attributes, entry);
  }

  #lookUp(namespace: string): CacheEntry | undefined {
    return this.#namespaces.get(`/namespaces/${namespace}`);
  }

  #doubt(namespace: string): void {
    if (this.#deletedAtMs.size >= maxDoubts) {
      const [oldest] = this.#deletedAtMs.keys();
      if (oldest !== undefined) this.#deletedAtMs.delete(oldest);
    }
    this.#deletedAtMs.set(namespace, this.#now());
  }

  #isDoubtful(namespace: string): boolean {
    const at = this.#deletedAtMs.get(namespace);
    if (at === undefined) return false;
    if (this.#now() - at < doubtMs) return true;
    this.#deletedAtMs.delete(namespace);
    return false;
  }
}

function judge(attributes: AdmissionAttributes, namespace: CacheEntry): void {
  if (attributes.operation !== 'CREATE' || phaseOf(namespace) !== 'Terminating') return;
  const name = attributes.namespace;
  throw refuseAdmission(
    attributes,
    `unable to create new content in namespace ${name} because it is being terminated`,
    [{ reason: 'NamespaceTerminating', message: `namespace ${name} is being terminated`, field: 'metadata.namespace' }],
  );
}

function phaseOf(entry: CacheEntry): string {
  const phase = entry.fields?.['status.phase'];
  if (phase !== undefined) return phase;
  const value = JSON.parse(entry.json.toString('utf8'));
  return isObject(value) ? stringAt(value, 'status', 'phase') : '';
}
