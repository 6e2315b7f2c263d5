import {
  boolKind,
  durationKind,
  floatKind,
  int32SliceKind,
  intKind,
  ipKind,
  mapKind,
  stringKind,
  stringsKind,
} from './flag-kinds.ts';
import { flag } from './flag-set.ts';
import { namedPairsKind } from './named-pair-kind.ts';

const generic = 'Generic';
const secure = 'Secure serving';

/** Flags of listeners, limits, time-outs and shutdown. */
export const servingFlags = {
  advertiseAddress: flag(
    ipKind,
    generic,
    '',
    'Address that the kubernetes Service leads to; without it the bind address, or that of the default interface.',
  ),
  corsAllowedOrigins: flag(
    stringsKind,
    generic,
    [],
    'Regular expressions of the origins to which CORS answers are given. Without any, CORS is off.',
  ),
  emulatedVersion: flag(
    stringsKind,
    generic,
    [],
    'Release whose APIs and feature gates are offered, as 1.35 or kube=1.35. Options are: kube=1.33..1.36(default:1.36)',
  ),
  emulationForwardCompatible: flag(
    boolKind,
    generic,
    false,
    'Whether newer versions of what the emulated release serves are served too, although they came later; alphas aside.',
  ),
  externalHostname: flag(
    stringKind,
    generic,
    '',
    'Host name for addresses that clients are told, such as the OpenID discovery.',
  ),
  featureGates: flag(
    { ...mapKind, typeName: 'colonSeparatedMultimapStringString' },
    generic,
    {},
    'Switches of experimental features, as Name=true|false. All of kube-apiserver are known; those of built-in resources and of their fields, CBORServingAndStorage, ComponentStatusz, ComponentFlagz and StorageVersionHash have an effect.',
  ),
  goawayChance: flag(
    floatKind,
    generic,
    0,
    'Chance (0 to 0.02) that an HTTP/2 connection is asked to reconnect after a request, to spread clients.',
  ),
  livezGracePeriod: flag(
    durationKind,
    generic,
    0,
    'For how long after the start /livez takes unfinished start hooks as healthy.',
  ),
  maxMutatingRequestsInflight: flag(
    intKind,
    generic,
    200,
    'Writes served at a time; more are answered 429. 0 for no limit.',
  ),
  maxRequestsInflight: flag(intKind, generic, 400, 'Reads served at a time; more are answered 429. 0 for no limit.'),
  minCompatibilityVersion: flag(
    stringsKind,
    generic,
    [],
    'Oldest release of other servers of the control plane, at most --emulated-version. Options are: kube=1.33..1.36(default:1.35)',
  ),
  minRequestTimeout: flag(
    intKind,
    generic,
    1800,
    'Seconds that a watch is kept open at least, when it asks for no time of its own.',
  ),
  runtimeConfigEmulationForwardCompatible: flag(
    boolKind,
    generic,
    false,
    'Whether --runtime-config may name versions and resources that came after the emulated release.',
  ),
  requestTimeout: flag(durationKind, generic, 60_000, 'Longest time for a request that is not long-running.'),
  shutdownDelayDuration: flag(
    durationKind,
    generic,
    0,
    'How long requests are still served normally, with /readyz failing, after the signal to end.',
  ),
  shutdownSendRetryAfter: flag(
    boolKind,
    generic,
    false,
    'Whether requests that come during shutdown are answered 429 with Retry-After.',
  ),
  shutdownWatchTerminationGracePeriod: flag(
    durationKind,
    generic,
    0,
    'How long watches are given to end during shutdown; 0 ends them at once.',
  ),
  storageInitializationTimeout: flag(
    durationKind,
    generic,
    60_000,
    'How long to wait for the storage before readiness is declared failed.',
  ),
  strictTransportSecurityDirectives: flag(
    stringsKind,
    generic,
    [],
    'Directives of the Strict-Transport-Security header. Without any, it is not sent.',
  ),
  bindAddress: flag(ipKind, secure, '0.0.0.0', 'Address on which --secure-port listens; 0.0.0.0 or :: for all.', {
    shownDefault: '127.0.0.1',
  }),
  certDir: flag(
    stringKind,
    secure,
    '/var/run/kubernetes',
    'Folder of the serving certificate where --tls-cert-file is not given.',
    { shownDefault: 'pki in --data-dir' },
  ),
  disableHttp2Serving: flag(boolKind, secure, false, 'Serves HTTP/1.1 only.'),
  http2MaxStreamsPerConnection: flag(
    intKind,
    secure,
    0,
    'Concurrent streams a client may open on one HTTP/2 connection; 0 for the default of 100.',
  ),
  permitAddressSharing: flag(
    boolKind,
    secure,
    false,
    'Lets the port be taken while connections of a process before wait for their end (SO_REUSEADDR). This is so without the flag, too.',
  ),
  permitPortSharing: flag(boolKind, secure, false, 'Lets several processes listen on one port (SO_REUSEPORT).'),
  securePort: flag(intKind, secure, 6443, 'Port for HTTPS.'),
  tlsCertFile: flag(stringKind, secure, '', 'Serving certificate in PEM, intermediates after it.'),
  tlsCipherSuites: flag(
    stringsKind,
    secure,
    [],
    'Cipher suites up to TLS 1.2, by their IANA names, such as TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256. Without any, the defaults of kube-apiserver; those of TLS 1.3 are always taken.',
  ),
  tlsCurvePreferences: flag(
    int32SliceKind,
    secure,
    [],
    'Key exchanges, by the numbers that Go gives them (CurveID): 23, 24, 25, 29, 4587, 4588, 4589. Their order is of no account. Without any, all of them.',
  ),
  tlsMinVersion: flag(stringKind, secure, '', 'Lowest TLS version: VersionTLS12 (default) or VersionTLS13.'),
  tlsSniCertKey: flag(
    namedPairsKind,
    secure,
    [],
    'Serving certificate and key (PEM) for single hosts, as CERT,KEY or CERT,KEY:HOST,*.DOMAIN; without hosts those that the certificate names. Repeatable; hosts given here win over those of certificates.',
  ),
  tlsPrivateKeyFile: flag(stringKind, secure, '', 'Private key of --tls-cert-file in PEM.'),
};
