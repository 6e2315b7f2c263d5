import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectsAt } from '#shared/apimachinery/object.ts';
import type { ConfigurationScheme } from '#shared/configuration/configuration-scheme.ts';
import { decodeConfiguration } from '#shared/configuration/decode-configuration.ts';

/** Tolerations of namespaces that have no annotations for them. */
export interface PodTolerationConfiguration {
  readonly default: readonly JsonObject[];
  readonly whitelist: readonly JsonObject[];
}

const scheme: ConfigurationScheme = {
  isStrict: false,
  kinds: [
    {
      apiVersion: 'podtolerationrestriction.admission.k8s.io/v1alpha1',
      kind: 'Configuration',
      struct: 'Configuration',
    },
  ],
  types: {
    Configuration: [
      ['default', 0, '[]#v1.Toleration', 'e'],
      ['whitelist', 0, '[]#v1.Toleration', 'e'],
    ],
    Toleration: [
      ['key', 0, 'string', 'e'],
      ['operator', 0, 'string', 'e'],
      ['value', 0, 'string', 'e'],
      ['effect', 0, 'string', 'e'],
      ['tolerationSeconds', 0, 'int64', 'pe'],
    ],
  },
};

/**
 * Reads the configuration of PodTolerationRestriction. The plugin validates the tolerations by the rules of pods.
 * @throws ConfigurationError
 */
export function readPodTolerationConfiguration(bytes: Uint8Array | undefined): PodTolerationConfiguration {
  const decoded = bytes === undefined ? undefined : decodeConfiguration(scheme, bytes);
  return { default: objectsAt(decoded, 'default'), whitelist: objectsAt(decoded, 'whitelist') };
}
