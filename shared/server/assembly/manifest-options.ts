import { readPluginConfigurations } from '#shared/admission/configuration/plugin-configurations.ts';
import { loadManifestReader } from '#shared/admission/manifests/load-manifest-reader.ts';
import { manifestFolders } from '#shared/admission/manifests/manifest-folders.ts';
import type { ManifestOptions } from '#shared/admission/manifests/manifest-source.ts';
import type { ConditionCompiler } from '#shared/cel/uses/admission.ts';
import type { Logger } from '#shared/observability/logger.ts';
import { effectiveVersion } from '#shared/server/options/effective-version.ts';
import { featureGates, readsManifests } from '#shared/server/options/feature-gates.ts';
import type { ServerOptions } from '#shared/server/options/server-options.ts';

/** What a server says of itself to what reads its manifests. */
export interface ManifestServer {
  readonly options: ServerOptions;
  readonly logger: Logger;
  /** The identity of the process in metrics. */
  readonly serverId: string;
}

/** The folders of manifests that a server reads. Their expressions may use what those of new objects may. */
export function manifestOptions(
  { options, logger, serverId }: ManifestServer,
  compiler: (() => ConditionCompiler) | undefined,
): ManifestOptions {
  return {
    folders: manifestFolders(readPluginConfigurations(options, readsManifests(options))),
    async compilers() {
      if (compiler !== undefined) return { conditions: compiler };
      const { baseEnvironments, ConditionCompiler } = await loadManifestReader();
      const { gates } = featureGates(options);
      const minor = Number(effectiveVersion(options).minCompatibility.split('.')[1]);
      const own = new ConditionCompiler(
        baseEnvironments(minor, (gate) => gate !== 'AuthorizeWithSelectors' || gates.isEnabled(gate)),
      );
      return { conditions: () => own };
    },
    serverId,
    report: (message) => logger.info(0, message),
    reportError: (message, error) => logger.error(message, error),
  };
}
