import type { PluginRegistry } from '#shared/admission/admission-chain.ts';
import { AlwaysAdmit } from '#shared/admission/always.ts';
import { readPluginConfigurations } from '#shared/admission/configuration/plugin-configurations.ts';
import type { AdmissionChain } from '#shared/admission/contract/admission.ts';
import { createAdmission } from '#shared/admission/create-admission.ts';
import { NamespaceExists } from '#shared/admission/namespaces/namespace-exists.ts';
import type { WriteQuotaStatus } from '#shared/admission/quota/quota-ledger.ts';
import { ResourceQuota } from '#shared/admission/quota/resource-quota.ts';
import { cloneJson } from '#shared/apimachinery/json/clone.ts';
import type { StoredResources } from '#shared/registry/create-resource-caches.ts';
import { GenericStore } from '#shared/registry/generic-store.ts';
import { systemContext } from '#shared/registry/system-context.ts';
import { readsManifests } from '#shared/server/options/feature-gates.ts';
import type { ServerOptions } from '#shared/server/options/server-options.ts';
import type { Storage } from '#shared/storage/storage.ts';

/** The admission chain for definitions and custom resources: only the plugins that apply to objects of any kind. */
export function customResourceAdmission(
  flags: ServerOptions,
  caches: StoredResources,
  storage: Storage,
  userRules: PluginRegistry,
): AdmissionChain {
  const { ResourceQuota: limited } = readPluginConfigurations(flags, readsManifests(flags));
  return createAdmission({
    flags,
    namespaces: caches.cache('', 'namespaces'),
    plugins: {
      ...userRules,
      AlwaysAdmit: () => new AlwaysAdmit(),
      NamespaceExists: () => new NamespaceExists(caches),
      ResourceQuota: () => new ResourceQuota(caches, quotaWriter(caches, storage), limited),
    },
  });
}

/**
 * Writes the new usage (`count/<plural>.<group>`) to the quota's status. The write goes directly to storage, not
 * through the core server: the usage must be stored before the object is created, even if no core server can be
 * reached, and a compare-and-set on the quota's resource version suffices.
 */
function quotaWriter(caches: StoredResources, storage: Storage): WriteQuotaStatus {
  const store = new GenericStore(storage, caches.stored('', 'resourcequotas'), {});
  return async (quota) => {
    const { namespace = '', name = '' } = quota.metadata;
    // Each attempt gets a copy: the store removes the resource version from the object that it writes, and without that
    // version the next attempt would overwrite unconditionally.
    const { entry } = await store.update(
      {
        name,
        subresource: 'status',
        transform: () => cloneJson(quota),
      },
      systemContext({ namespace, subresource: 'status' }),
    );
    return store.parse(entry);
  };
}
