import { aggregateText, path, required } from '#shared/apimachinery/errors/field-error.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectsAt, stringAt, stringsAt } from '#shared/apimachinery/object.ts';
import type { ConfigurationScheme } from '#shared/configuration/configuration-scheme.ts';
import { ConfigurationError, decodeConfiguration } from '#shared/configuration/decode-configuration.ts';

/** A resource that may only be used where a quota covers it. */
export interface LimitedResource {
  readonly apiGroup: string;
  readonly resource: string;
  /** Parts of the names of amounts that need a quota, such as `.storageclass.storage.k8s.io/requests.storage`. */
  readonly matchContains: readonly string[];
  /** Scopes of objects that need a quota with the same scope. */
  readonly matchScopes: readonly JsonObject[];
}

const scheme: ConfigurationScheme = {
  isStrict: true,
  kinds: [
    { apiVersion: 'apiserver.config.k8s.io/v1', kind: 'ResourceQuotaConfiguration', struct: 'Configuration' },
    ...['v1beta1', 'v1alpha1'].map((version) => ({
      apiVersion: `resourcequota.admission.k8s.io/${version}`,
      kind: 'Configuration',
      struct: 'Configuration',
    })),
  ],
  types: {
    Configuration: [['limitedResources', 0, '[]#LimitedResource', '']],
    LimitedResource: [
      ['apiGroup', 0, 'string', 'e', { g: 'APIGroup' }],
      ['resource', 0, 'string', ''],
      ['matchContains', 0, '[]string', 'e'],
      ['matchScopes', 0, '[]#v1.ScopedResourceSelectorRequirement', 'e'],
    ],
    ScopedResourceSelectorRequirement: [
      ['scopeName', 0, 'string', ''],
      ['operator', 0, 'string', ''],
      ['values', 0, '[]string', 'e'],
    ],
  },
};

/**
 * Reads the configuration of ResourceQuota; without one, no resource needs a quota.
 * @throws ConfigurationError
 */
export function readQuotaConfiguration(bytes: Uint8Array | undefined): readonly LimitedResource[] {
  if (bytes === undefined) return [];
  const limited = objectsAt(decodeConfiguration(scheme, bytes), 'limitedResources').map((item) => ({
    apiGroup: stringAt(item, 'apiGroup'),
    resource: stringAt(item, 'resource'),
    matchContains: stringsAt(item, 'matchContains'),
    matchScopes: objectsAt(item, 'matchScopes'),
  }));
  const errors = limited.flatMap(({ resource }, index) =>
    resource === '' ? [required(path('limitedResources').index(index).child('resource'), '')] : [],
  );
  if (errors.length > 0) throw new ConfigurationError(aggregateText(errors));
  return limited;
}
