import { AlwaysAdmit } from '../../shared/admission/always.ts';
import type { AdmissionFlags } from '../../shared/admission/admission-chain.ts';
import type { AdmissionChain } from '../../shared/admission/contract/admission.ts';
import { cloneJson } from '../../shared/apimachinery/clone.ts';
import { createAdmission } from '../../shared/admission/create-admission.ts';
import { NamespaceExists } from '../../shared/admission/namespaces/namespace-exists.ts';
import { ResourceQuota } from '../../shared/admission/quota/resource-quota.ts';
import type { WriteQuotaStatus } from '../../shared/admission/quota/quota-ledger.ts';
import { GenericStore } from '../../shared/registry/generic-store.ts';
import type { StoredResources } from '../../shared/registry/create-resource-caches.ts';
import { systemContext } from '../../shared/registry/system-context.ts';
import type { Storage } from '../../shared/storage/storage.ts';

/** What is asked before definitions and custom resources are written: of the plugins those that look at any object. */
export function customResourceAdmission(
  flags: AdmissionFlags,
  caches: StoredResources,
  storage: Storage,
): AdmissionChain {
  return createAdmission({
    flags,
    namespaces: caches.cache('', 'namespaces'),
    plugins: {
      AlwaysAdmit: () => new AlwaysAdmit(),
      NamespaceExists: () => new NamespaceExists(caches),
      ResourceQuota: () => new ResourceQuota(caches, quotaWriter(caches, storage)),
    },
  });
}

/**
 * Counts what was made (`count/<plural>.<group>`) in the quota's status. Written to storage from here, not through the
 * core server: the count must be there before the object is, whether or not a core can be reached, and nothing but a
 * compare-and-set on the version that was counted with is needed.
 */
function quotaWriter(caches: StoredResources, storage: Storage): WriteQuotaStatus {
  const store = new GenericStore(storage, caches.stored('', 'resourcequotas'), {});
  return async (quota) => {
    const { namespace = '', name = '' } = quota.metadata;
    // A copy for each attempt: the store takes the version from what it writes, and without it the next attempt would
    // overwrite.
    const { entry } = await store.update(
      {
        name,
        subresource: 'status',
        transform: () => cloneJson(quota),
      },
      systemContext({ namespace, subresource: 'status', fieldManager: null }),
    );
    return store.parse(entry);
  };
}
