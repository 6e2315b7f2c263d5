import type { AdmissionChain } from '../../../shared/admission/admission.ts';
import { createBuiltInAdmission } from '../../../shared/admission/create-built-in-admission.ts';
import type { AdmissionFlags, PluginRegistry } from '../../../shared/admission/admission-chain.ts';
import type { Authorize } from '../../../shared/admission/authorize.ts';
import { JobValidation } from '../../../shared/admission/jobs/job-validation.ts';
import { NodeRestriction } from '../../../shared/admission/nodes/node-restriction.ts';
import { NodeDeclaredFeatureValidator } from '../../../shared/admission/pods/node-declared-feature-validator.ts';
import { Priority } from '../../../shared/admission/pods/priority.ts';
import { PodGroupWorkloadExists } from '../../../shared/admission/scheduling/pod-group-workload-exists.ts';
import type { Facts } from '../../../shared/api/facts.ts';
import { cloneJson } from '../../../shared/apimachinery/clone.ts';
import type { KubeObject } from '../../../shared/apimachinery/object.ts';
import type { Authorizer } from '../../../shared/authorization/authorizer.ts';
import { systemContext } from '../bootstrap/system-context.ts';
import type { CoreContext } from '../core-context.ts';
import { gates } from '../gates/gates.ts';
import { askAuthorizer } from './ask-authorizer.ts';

/** Admission of the core server: its plugins write through the stores, in the name of the server itself. */
export function coreAdmission(flags: AdmissionFlags, facts: Facts, core: CoreContext, authorizer: Authorizer): AdmissionChain {
  return createBuiltInAdmission({
    flags, caches: core.caches, authorize: askAuthorizer(authorizer),
    plugins: gatedPlugins(core, askAuthorizer(authorizer)),
    resourceOfKind: (group, version, kind) => facts.byKind(group, version, kind),
    createNamespace: async (name) => {
      const namespace: KubeObject = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
      core.setDefaults('', 'namespaces', namespace);
      await core.store('', 'namespaces').create(systemContext(), namespace);
    },
    writeQuotaStatus: async (quota) => {
      const store = core.store('', 'resourcequotas');
      const { namespace = '', name = '' } = quota.metadata;
      // A copy for each attempt: the store takes the version from what it writes, and without it the next attempt would overwrite.
      const { entry } = await store.update({ ...systemContext(namespace), subresource: 'status' }, { name, subresource: 'status', transform: () => cloneJson(quota) });
      return store.parse(entry);
    },
  });
}

/** Plugins that look at nothing, or at less, while their gates are off. */
function gatedPlugins({ caches }: CoreContext, authorize: Authorize): PluginRegistry {
  return {
    NodeRestriction: () => new NodeRestriction(caches, authorize, gates.ServiceAccountNodeAudienceRestriction),
    ...(gates.NodeDeclaredFeatures && { NodeDeclaredFeatureValidator: () => new NodeDeclaredFeatureValidator(caches) }),
    ...(gates.GenericWorkload && { PodGroupWorkloadExists: () => new PodGroupWorkloadExists(caches) }),
    ...(gates.WorkloadAwarePreemption && { Priority: () => new Priority(caches, true) }),
    ...((gates.GenericWorkload || gates.WorkloadWithJob) && { JobValidation: () => new JobValidation(caches) }),
  };
}
