import type { AuthenticationDependencies, AuthenticationOptions } from '#shared/authentication/create-authenticator.ts';
import type { FakeBoundObjects } from './fake-bound-objects.ts';

/** Options for unit tests: anonymous requests, RBAC, and nothing else. */
export const plainAuthentication: AuthenticationOptions = {
  anonymousAuth: true,
  apiAudiences: [],
  authenticationTokenWebhookCacheTtl: 120_000,
  authenticationTokenWebhookConfigFile: '',
  authenticationTokenWebhookVersion: 'v1',
  authorizationConfig: '',
  authorizationMode: ['RBAC'],
  clientCaFile: '',
  enableBootstrapTokenAuth: false,
  ownClientCaFiles: [],
  readsCertificateUids: true,
  requestheaderAllowedNames: [],
  requestheaderClientCaFile: '',
  requestheaderExtraHeadersPrefix: [],
  requestheaderGroupHeaders: [],
  requestheaderUidHeaders: [],
  requestheaderUsernameHeaders: [],
  serviceAccountIssuer: [],
  serviceAccountKeyFile: [],
  serviceAccountLookup: true,
  tlsPrivateKeyFile: '',
  tokenAuthFile: '',
};

/** Dependencies for unit tests; there are no bootstrap tokens. */
export function plainDependencies(objects: FakeBoundObjects): AuthenticationDependencies {
  return {
    objects,
    openBootstrapSecrets() {
      throw new Error('there are no bootstrap tokens');
    },
    logger: { info: () => {}, error: () => {} },
    knowsKind: () => false,
  };
}
