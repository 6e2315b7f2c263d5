import { boolKind, durationKind, stringArrayKind, stringKind, singlePairKind, stringsKind } from './flag-kinds.ts';
import { flag } from './flag-set.ts';

const authentication = 'Authentication';

/** Flags of authentication, and of the keys of service-account tokens. */
export const authenticationFlags = {
  anonymousAuth: flag(
    boolKind,
    authentication,
    true,
    'Whether requests without credentials are taken as system:anonymous in group system:unauthenticated.',
  ),
  apiAudiences: flag(
    stringsKind,
    authentication,
    [],
    'Audiences that a token must name one of; without any, the first --service-account-issuer.',
  ),
  authenticationConfig: flag(
    stringKind,
    authentication,
    '',
    'File with an AuthenticationConfiguration: issuers of JWTs and anonymous requests. It excludes --oidc-* and, where it says something of it, --anonymous-auth.',
  ),
  authenticationTokenWebhookCacheTtl: flag(
    durationKind,
    authentication,
    120_000,
    'How long answers of the token webhook are kept.',
  ),
  authenticationTokenWebhookConfigFile: flag(
    stringKind,
    authentication,
    '',
    'Kubeconfig of a webhook that reviews bearer tokens.',
  ),
  authenticationTokenWebhookVersion: flag(
    stringKind,
    authentication,
    'v1beta1',
    'Version of authentication.k8s.io in which the token webhook is asked: v1 or v1beta1.',
  ),
  clientCaFile: flag(
    stringKind,
    authentication,
    '',
    'CAs (PEM) of client certificates: the common name is the user, the organizations are the groups.',
  ),
  enableBootstrapTokenAuth: flag(
    boolKind,
    authentication,
    false,
    'Whether secrets of type bootstrap.kubernetes.io/token in kube-system are accepted as tokens of joining nodes.',
  ),
  oidcCaFile: flag(
    stringKind,
    authentication,
    '',
    'CAs (PEM) of the OpenID provider; without any, those of the system.',
  ),
  oidcClientId: flag(
    stringKind,
    authentication,
    '',
    'Client id that an ID token must be for. Needs --oidc-issuer-url.',
  ),
  oidcGroupsClaim: flag(stringKind, authentication, '', 'Claim with the groups of a user: a text or a list of texts.'),
  oidcGroupsPrefix: flag(
    stringKind,
    authentication,
    '',
    'Put before each group, so that it cannot be mistaken for one of another authenticator.',
  ),
  oidcIssuerUrl: flag(stringKind, authentication, '', 'URL (https) of the OpenID provider. Needs --oidc-client-id.'),
  oidcRequiredClaim: flag(
    singlePairKind,
    authentication,
    {},
    'Claim that an ID token must have with this value; repeatable.',
  ),
  oidcSigningAlgs: flag(
    stringsKind,
    authentication,
    ['RS256'],
    'JOSE algorithms of signatures that are accepted, such as RS256 or ES256.',
  ),
  oidcUsernameClaim: flag(stringKind, authentication, 'sub', 'Claim with the name of a user.'),
  oidcUsernamePrefix: flag(
    stringKind,
    authentication,
    '',
    'Put before user names; "-" for none. Without it, names of all claims but email begin with the issuer and #.',
  ),
  requestheaderAllowedNames: flag(
    stringsKind,
    authentication,
    [],
    'Common names of front-proxy certificates that may name users in headers; without any, every certificate of the CA.',
  ),
  requestheaderClientCaFile: flag(stringKind, authentication, '', 'CAs (PEM) of front-proxy certificates.'),
  requestheaderExtraHeadersPrefix: flag(
    stringsKind,
    authentication,
    [],
    'Prefixes of headers with extra attributes, such as X-Remote-Extra-.',
  ),
  requestheaderGroupHeaders: flag(stringsKind, authentication, [], 'Headers with groups, such as X-Remote-Group.'),
  requestheaderUidHeaders: flag(stringsKind, authentication, [], 'Headers with the uid, such as X-Remote-Uid.'),
  requestheaderUsernameHeaders: flag(
    stringsKind,
    authentication,
    [],
    'Headers with the user name, such as X-Remote-User.',
  ),
  serviceAccountExtendTokenExpiration: flag(
    boolKind,
    authentication,
    true,
    'Whether tokens that are mounted into pods live a year, with a warning after the asked time.',
  ),
  serviceAccountIssuer: flag(
    stringArrayKind,
    authentication,
    [],
    'Issuer of service-account tokens. The first one is used for new tokens, all are accepted.',
  ),
  serviceAccountJwksUri: flag(
    stringKind,
    authentication,
    '',
    'Address of the key set in the OpenID discovery document.',
  ),
  serviceAccountKeyFile: flag(
    stringArrayKind,
    authentication,
    [],
    'Files (PEM) with keys that verify service-account tokens; without any, --tls-private-key-file.',
  ),
  serviceAccountLookup: flag(
    boolKind,
    authentication,
    true,
    'Whether tokens are refused once their service account or secret is gone.',
  ),
  serviceAccountMaxTokenExpiration: flag(
    durationKind,
    authentication,
    0,
    'Longest life of a token that a client may ask for.',
  ),
  serviceAccountSigningEndpoint: flag(
    stringKind,
    'Misc',
    '',
    'Unix socket of an external signer of service-account tokens (v1.ExternalJWTSigner over gRPC). It excludes key files.',
  ),
  serviceAccountSigningKeyFile: flag(stringKind, 'Misc', '', 'Private key (PEM) that signs service-account tokens.'),
  tokenAuthFile: flag(stringKind, authentication, '', 'CSV file with token,user,uid,"group1,group2".'),
};
