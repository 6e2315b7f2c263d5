import { stringMapAt } from '#shared/apimachinery/object.ts';
import { ConfigurationError } from '#shared/configuration/decode-configuration.ts';
import { decodeUnversioned } from '#shared/configuration/unversioned-file.ts';

/**
 * The node selectors that pods may use, by namespace. `clusterDefaultNodeSelector` stands for a default, which
 * namespaces without an annotation have.
 */
export type PodNodeSelectorConfiguration = ReadonlyMap<string, string>;

/** Reads the configuration of PodNodeSelector. As in the reference, a file that cannot be read counts as empty. */
export function readPodNodeSelectors(bytes: Uint8Array | undefined): PodNodeSelectorConfiguration {
  if (bytes === undefined) return new Map();
  try {
    const types = { pluginConfig: [['podNodeSelectorPluginConfig', 0, '{}string', '']] } as const;
    return stringMapAt(decodeUnversioned(types, 'pluginConfig', bytes), 'podNodeSelectorPluginConfig');
  } catch (error) {
    if (error instanceof ConfigurationError) return new Map();
    throw error;
  }
}
