import { ManifestSource, type ManifestOptions } from '#shared/admission/manifests/manifest-source.ts';
import { resourceCriteria } from '#shared/admission/matching/match-criteria.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt } from '#shared/apimachinery/object.ts';
import { failurePolicyOf } from './contract/failure-policy.ts';
import { bindingsByPolicy, type PolicyHook } from './contract/policy-hook.ts';

/** The policies in the folder of the plugin; undefined if it has none. */
export function manifestPolicies<Evaluator>(
  plugin: 'MutatingAdmissionPolicy' | 'ValidatingAdmissionPolicy',
  { folders, ...options }: ManifestOptions,
  compile: (name: string, spec: JsonObject) => Promise<Evaluator>,
): ManifestSource<readonly PolicyHook<Evaluator>[]> | undefined {
  const folder = folders[plugin];
  if (folder === undefined) return undefined;
  return new ManifestSource<readonly PolicyHook<Evaluator>[]>(
    {
      ...options,
      plugin,
      folder,
      async compile(manifests) {
        const bindings = bindingsByPolicy(manifests.get(`${plugin}Binding`) ?? []);
        const hooks: PolicyHook<Evaluator>[] = [];
        for (const policy of manifests.get(plugin) ?? []) {
          const { name = '' } = policy.metadata;
          const spec = objectAt(policy, 'spec') ?? {};
          const bound = bindings.get(name);
          if (bound === undefined) continue;
          hooks.push({
            name,
            spec,
            criteria: resourceCriteria(objectAt(spec, 'matchConstraints') ?? {}),
            failurePolicy: failurePolicyOf(spec),
            evaluator: await compile(name, spec),
            bindings: bound,
            params: undefined,
            configurationError: undefined,
          });
        }
        return hooks;
      },
    },
    [],
  );
}
