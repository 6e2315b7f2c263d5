import {
  boolKind,
  durationKind,
  intKind,
  mapKind,
  optionalStringsKind,
  stringArrayKind,
  stringKind,
  stringsKind,
} from './flag-kinds.ts';
import { flag } from './flag-set.ts';

const authentication = 'Authentication';
const authorization = 'Authorization';
const admission = 'Admission';

/** Flags of authentication, authorization and admission. */
export const accessFlags = {
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
  clientCaFile: flag(
    stringKind,
    authentication,
    '',
    'CAs (PEM) of client certificates: the common name is the user, the organizations are the groups.',
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
  serviceAccountSigningKeyFile: flag(stringKind, 'Misc', '', 'Private key (PEM) that signs service-account tokens.'),
  tokenAuthFile: flag(stringKind, authentication, '', 'CSV file with token,user,uid,"group1,group2".'),
  authorizationMode: flag(
    stringsKind,
    authorization,
    [],
    'Authorizers in order, of AlwaysAllow, AlwaysDeny, Node, RBAC. kube-apiserver without it allows everything.',
    { shownDefault: '[Node,RBAC]' },
  ),
  runtimeConfig: flag(
    mapKind,
    'API enablement',
    {},
    'Group versions or resources to serve or not, as group/version[/resource]=true|false; api/all, api/ga, api/beta, api/alpha.',
  ),
  admissionControl: flag(
    optionalStringsKind,
    admission,
    null,
    'Exactly the admission plugins that are on. Deprecated: use --enable-admission-plugins or --disable-admission-plugins.',
  ),
  admissionControlConfigFile: flag(
    stringKind,
    admission,
    '',
    'File with an AdmissionConfiguration, which holds the configurations of admission plugins or names their files.',
  ),
  disableAdmissionPlugins: flag(stringsKind, admission, [], 'Default admission plugins that are turned off.'),
  defaultNotReadyTolerationSeconds: flag(
    intKind,
    admission,
    300,
    'How long pods that say nothing of it tolerate a node that is not ready, for the admission plugin DefaultTolerationSeconds.',
  ),
  defaultUnreachableTolerationSeconds: flag(intKind, admission, 300, 'The same for a node that is unreachable.'),
  enableAdmissionPlugins: flag(
    stringsKind,
    admission,
    [],
    'Admission plugins that are turned on beside the default ones.',
  ),
  allowPrivileged: flag(boolKind, 'Misc', false, 'Whether privileged containers are allowed.'),
};
