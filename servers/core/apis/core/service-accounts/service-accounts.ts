import { defineBuiltIn } from '#servers/core/apis/contract/built-in-resource.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectsAt, stringAt, type KubeObject } from '#shared/apimachinery/object.ts';
import type { Strategy } from '#shared/registry/strategy.ts';
import { serviceAccountRows } from './service-account-rows.ts';
import { applyTokenDefaults, prepareTokenRequest, requestToken } from './service-account-token.ts';

/** ServiceAccounts (pkg/registry/core/serviceaccount). */
const serviceAccountStrategy: Strategy = {
  prepareForCreate: keepSecretNames,
  prepareForUpdate: keepSecretNames,
  warningsOnCreate: (account) => (limitsSecrets(account) ? [deprecatedLimit] : []),
  warningsOnUpdate: (account, old) => (limitsSecrets(account) && !limitsSecrets(old) ? [deprecatedLimit] : []),
};

const limitingAnnotation = 'kubernetes.io/enforce-mountable-secrets';
const deprecatedLimit = `metadata.annotations[${limitingAnnotation}]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets`;

function limitsSecrets({ metadata }: KubeObject): boolean {
  return Object.hasOwn(metadata.annotations ?? {}, limitingAnnotation);
}

/** Removes everything but the name from references to secrets. */
function keepSecretNames(account: KubeObject): void {
  const secrets = objectsAt(account, 'secrets');
  if (secrets.length > 0)
    account['secrets'] = secrets.map((secret): JsonObject => ({ name: stringAt(secret, 'name') }));
}

export const serviceAccountResource = defineBuiltIn({
  group: '',
  resource: 'serviceaccounts',
  rows: serviceAccountRows,
  strategy: serviceAccountStrategy,
  writes: {
    metadataOnUpdate: 'both',
  },
  subresources: ({ core, tokens }) => ({
    token: {
      applyDefaults: applyTokenDefaults,
      prepare: prepareTokenRequest(core, tokens),
      create: requestToken(core, tokens),
    },
  }),
});
