import { formatGroupVersion } from '#shared/apimachinery/gvk.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { decodeText } from '#shared/serializer/codec.ts';
import { DecodeError, notRegisteredText } from '#shared/serializer/decode-errors.ts';
import { yamlType } from '#shared/serializer/negotiate.ts';
import { schemaOfKind, type ConfigurationScheme } from './configuration-scheme.ts';

const types: ConfigurationScheme['types'] = {
  Config: [
    ['current-context', 0, 'string', ''],
    ['contexts', 0, '[]#NamedContext', ''],
    ['clusters', 0, '[]#NamedCluster', ''],
    ['users', 0, '[]#NamedAuthInfo', ''],
  ],
  NamedContext: [
    ['name', 0, 'string', ''],
    ['context', 0, '#Context', ''],
  ],
  Context: ['cluster', 'user'].map((name) => [name, 0, 'string', '']),
  NamedCluster: [
    ['name', 0, 'string', ''],
    ['cluster', 0, '#Cluster', ''],
  ],
  Cluster: [
    ...['server', 'tls-server-name', 'certificate-authority', 'proxy-url'].map(
      (name) => [name, 0, 'string', 'e'] as const,
    ),
    ['insecure-skip-tls-verify', 0, 'bool', 'e'],
    ['certificate-authority-data', 0, 'bytes', 'e'],
  ],
  NamedAuthInfo: [
    ['name', 0, 'string', ''],
    ['user', 0, '#AuthInfo', ''],
  ],
  AuthInfo: [
    ...['client-certificate', 'client-key', 'token', 'tokenFile', 'username', 'password', 'as', 'as-uid'].map(
      (name) => [name, 0, 'string', 'e'] as const,
    ),
    ['as-groups', 0, '[]string', 'e'],
    ['as-user-extra', 0, '{}[]string', 'e'],
    ...['client-certificate-data', 'client-key-data'].map((name) => [name, 0, 'bytes', 'e'] as const),
    ['exec', 0, 'json', 'p'],
    ['auth-provider', 0, 'json', 'p'],
  ],
};

/**
 * Decodes the bytes of a kubeconfig.
 * @throws DecodeError
 */
export function decodeKubeconfig(bytes: Uint8Array): JsonObject {
  const schema = schemaOfKind({ isStrict: false, kinds: [], types }, 'Config', 'v1');
  const { object } = atOnce(
    decodeText(
      {
        schema(group, version, kind) {
          if (kind === 'Config' && formatGroupVersion({ group, version }) === 'v1') return schema;
          throw new DecodeError(notRegisteredText({ group, version, kind }), undefined);
        },
      },
      yamlType,
      bytes,
      { defaultGvk: { group: '', version: 'v1', kind: 'Config' }, fieldValidation: 'Ignore' },
    ),
  );
  return object;
}
