import type { CoreContext } from '#servers/core/context/core-context.ts';
import type { Gates } from '#servers/core/gates/gates.ts';
import { createAdmissionChain, type PluginRegistry } from '#shared/admission/admission-chain.ts';
import type { AdmissionFlags } from '#shared/admission/admission-flags.ts';
import { readPluginConfigurations } from '#shared/admission/configuration/plugin-configurations.ts';
import type { AdmissionChain } from '#shared/admission/contract/admission.ts';
import type { Facts } from '#shared/api/facts.ts';
import { cloneJson } from '#shared/apimachinery/json/clone.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import { askAuthorizer } from '#shared/authorization/ask-authorizer.ts';
import type { Authorizer } from '#shared/authorization/contract/authorizer.ts';
import { systemContext } from '#shared/registry/system-context.ts';
import { corePlugins, type PluginDependencies } from './core-plugins.ts';

export interface CoreAdmissionFlags extends AdmissionFlags {
  readonly defaultNotReadyTolerationSeconds: number;
  readonly defaultUnreachableTolerationSeconds: number;
}

export interface CoreAdmissionOptions {
  readonly flags: CoreAdmissionFlags;
  readonly facts: Facts;
  readonly core: CoreContext;
  readonly gates: Gates;
  readonly access: { readonly authorizer: Authorizer };
  /** The plugins whose rules users write. */
  readonly userRules: PluginRegistry;
  readonly reportError: PluginDependencies['reportError'];
}

/** Admission of the core server. Its plugins write through the stores, as the server's own user. */
export function coreAdmission(options: CoreAdmissionOptions): AdmissionChain {
  const { flags, facts, core, gates, access, userRules, reportError } = options;
  return createAdmissionChain(
    flags,
    corePlugins({
      caches: core.caches,
      gates,
      configurations: readPluginConfigurations(flags, gates.ManifestBasedAdmissionControlConfig),
      authorize: askAuthorizer(access.authorizer),
      userRules,
      reportError,
      tolerationSeconds: {
        notReady: flags.defaultNotReadyTolerationSeconds,
        unreachable: flags.defaultUnreachableTolerationSeconds,
      },
      resourceOfKind: (group, version, kind) => facts.byKind(group, version, kind),
      createNamespace: async (name) => {
        const namespace: KubeObject = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
        core.setDefaults('', 'namespaces', namespace);
        await core.store('', 'namespaces').create(namespace, systemContext());
      },
      writeQuotaStatus: async (quota) => {
        const store = core.store('', 'resourcequotas');
        const { namespace = '', name = '' } = quota.metadata;
        // Each attempt gets a copy, because the store removes the resourceVersion from the object that it writes. A
        // second attempt without a resourceVersion would overwrite a newer object.
        const { entry } = await store.update(
          { name, subresource: 'status', transform: () => cloneJson(quota) },
          systemContext({ namespace, subresource: 'status' }),
        );
        return store.parse(entry);
      },
    }),
  );
}
