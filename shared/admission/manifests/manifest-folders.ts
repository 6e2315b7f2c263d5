import type { PluginConfigurations } from '#shared/admission/configuration/plugin-configurations.ts';
import type { ManifestOptions } from './manifest-source.ts';

/** The folders that the configurations of plugins name. */
export function manifestFolders({
  MutatingAdmissionPolicy,
  MutatingAdmissionWebhook,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionWebhook,
}: PluginConfigurations): ManifestOptions['folders'] {
  const configurations = {
    MutatingAdmissionPolicy,
    MutatingAdmissionWebhook,
    ValidatingAdmissionPolicy,
    ValidatingAdmissionWebhook,
  };
  return Object.fromEntries(
    Object.entries(configurations).flatMap(([plugin, configuration]) =>
      configuration?.manifests === undefined ? [] : [[plugin, configuration.manifests]],
    ),
  );
}
