/** Values of one flag. Flags that a value needs stand behind it, after a blank. `DIR` is the folder of files.ts. */
export interface FlagCase {
  /** A value that a server starts with; absent where no server of a test can. */
  readonly good?: string;
  /** Values that no server starts with; none where any text is right. */
  readonly wrong: readonly string[];
}

const noBool = ['maybe'];
const noNumber = ['1.5'];
const noDuration = ['1'];
const noFile = ['DIR/none'];
const anyText: readonly string[] = [];

const generic: Readonly<Record<string, FlagCase>> = {
  'advertise-address': { good: '127.0.0.1', wrong: ['localhost', '::1'] },
  'cors-allowed-origins': { good: '//a\\.b$', wrong: ['(', '//a.b', 'a.b$', ''] },
  'emulated-version': { good: '1.35', wrong: ['1.20'] },
  'emulation-forward-compatible': { good: 'true --emulated-version=1.35', wrong: [...noBool, 'true'] },
  'external-hostname': { good: 'a.b', wrong: anyText },
  'feature-gates': { good: 'AllAlpha=false', wrong: ['Nope=true'] },
  'goaway-chance': { good: '0.01', wrong: ['0.03', 'x'] },
  'livez-grace-period': { good: '1s', wrong: [...noDuration, '-1s'] },
  'max-mutating-requests-inflight': { good: '100', wrong: [...noNumber, '-1'] },
  'max-requests-inflight': { good: '100', wrong: [...noNumber, '-1'] },
  'min-compatibility-version': { good: '1.35', wrong: ['1.20'] },
  'min-request-timeout': { good: '60', wrong: [...noNumber, '-1'] },
  'request-timeout': { good: '30s', wrong: [...noDuration, '-1s'] },
  'runtime-config-emulation-forward-compatible': { good: 'true --emulated-version=1.35', wrong: [...noBool, 'true'] },
  'shutdown-delay-duration': { good: '1s', wrong: [...noDuration, '-1s'] },
  'shutdown-send-retry-after': { good: 'true', wrong: noBool },
  'shutdown-watch-termination-grace-period': { good: '1s', wrong: [...noDuration, '-1s'] },
  'storage-initialization-timeout': { good: '30s', wrong: [...noDuration, '-1s'] },
  'strict-transport-security-directives': { good: 'max-age=31536000', wrong: ['max-age'] },
  'runtime-config': { good: 'batch/v1=true', wrong: ['foo/v1=true'] },
};

const storage: Readonly<Record<string, FlagCase>> = {
  'delete-collection-workers': { good: '2', wrong: noNumber },
  'enable-garbage-collector': { good: 'false', wrong: noBool },
  'encryption-provider-config': { wrong: noFile },
  'encryption-provider-config-automatic-reload': { wrong: [...noBool, 'true'] },
  'etcd-cafile': { good: 'DIR/ca.pem', wrong: noFile },
  'etcd-certfile': { good: 'DIR/cert.pem --etcd-keyfile=DIR/key.pem', wrong: noFile },
  'etcd-compaction-interval': { good: '1m', wrong: noDuration },
  'etcd-count-metric-poll-period': { good: '10s', wrong: noDuration },
  'etcd-db-metric-poll-interval': { good: '10s', wrong: noDuration },
  'etcd-healthcheck-timeout': { good: '1s', wrong: noDuration },
  'etcd-keyfile': { good: 'DIR/key.pem --etcd-certfile=DIR/cert.pem', wrong: noFile },
  'etcd-prefix': { good: '/other', wrong: anyText },
  'etcd-readycheck-timeout': { good: '1s', wrong: noDuration },
  'etcd-servers-overrides': { wrong: ['apps', '/events'] },
  'lease-reuse-duration-seconds': { good: '30', wrong: noNumber },
  'storage-backend': { good: 'etcd3', wrong: ['etcd2'] },
  'storage-media-type': { good: 'application/json', wrong: ['text/plain'] },
  'watch-cache': { good: 'true', wrong: noBool },
  'watch-cache-sizes': { good: 'pods#100', wrong: ['pods', 'pods#-1', 'pods#x'] },
  'default-watch-cache-size': { good: '50', wrong: noNumber },
};

const serving: Readonly<Record<string, FlagCase>> = {
  'bind-address': { good: '127.0.0.1', wrong: ['localhost'] },
  'cert-dir': { good: 'DIR/certificates', wrong: anyText },
  'disable-http2-serving': { good: 'true', wrong: noBool },
  'http2-max-streams-per-connection': { good: '100', wrong: noNumber },
  'permit-address-sharing': { good: 'true', wrong: noBool },
  'permit-port-sharing': { good: 'true', wrong: noBool },
  'secure-port': { wrong: [...noNumber, '70000'] },
  'tls-cert-file': { good: 'DIR/cert.pem --tls-private-key-file=DIR/key.pem', wrong: [...noFile, 'DIR/cert.pem'] },
  'tls-cipher-suites': { good: 'TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256', wrong: ['TLS_NONE'] },
  'tls-curve-preferences': { good: '23', wrong: ['x'] },
  'tls-min-version': { good: 'VersionTLS13', wrong: ['VersionTLS14'] },
  'tls-private-key-file': { good: 'DIR/key.pem --tls-cert-file=DIR/cert.pem', wrong: ['DIR/key.pem'] },
  'tls-sni-cert-key': { good: 'DIR/cert.pem,DIR/key.pem', wrong: ['DIR/cert.pem', 'DIR/none,DIR/key.pem'] },
};

const log = '--audit-log-path=DIR/audit.log --audit-policy-file=DIR/audit-policy.yaml';
const logBatch = `${log} --audit-log-mode=batch`;
const hook = '--audit-webhook-config-file=DIR/kubeconfig.yaml --audit-policy-file=DIR/audit-policy.yaml';

function backend(kind: 'log' | 'webhook', needed: string, batch: string): Readonly<Record<string, FlagCase>> {
  const name = (rest: string): string => `audit-${kind}-${rest}`;
  return {
    [name('batch-buffer-size')]: { good: `10 ${batch}`, wrong: [...noNumber, `0 ${batch}`, `-1 ${batch}`] },
    [name('batch-max-size')]: {
      good: `10 ${batch}`,
      wrong: [...noNumber, `-1 ${batch}`, `0 ${batch}`, `10 --audit-${kind}-batch-buffer-size=5 ${batch}`],
    },
    [name('batch-max-wait')]: { good: `1s ${batch}`, wrong: noDuration },
    [name('batch-throttle-burst')]: {
      good: `1 ${batch}`,
      wrong: [...noNumber, `0 --audit-${kind}-batch-throttle-qps=1 --audit-${kind}-batch-throttle-enable ${batch}`],
    },
    [name('batch-throttle-enable')]: { good: `false ${batch}`, wrong: noBool },
    [name('batch-throttle-qps')]: {
      good: `1.5 ${batch}`,
      wrong: ['x', `0 --audit-${kind}-batch-throttle-enable ${batch}`],
    },
    [name('mode')]: { good: `blocking ${needed}`, wrong: [`later ${needed}`, ` ${needed}`, `Batch ${needed}`] },
    [name('truncate-enabled')]: { good: `true ${needed}`, wrong: noBool },
    [name('truncate-max-batch-size')]: {
      good: `1000000 ${needed}`,
      wrong: [...noNumber, `10 ${needed}`, `-1 ${needed}`],
    },
    [name('truncate-max-event-size')]: {
      good: `1000 ${needed}`,
      wrong: [...noNumber, `0 ${needed}`, `20000000 ${needed}`],
    },
    [name('version')]: { good: `audit.k8s.io/v1 ${needed}`, wrong: [`audit.k8s.io/v2 ${needed}`, `a/b/c ${needed}`] },
  };
}

const auditing: Readonly<Record<string, FlagCase>> = {
  ...backend('log', log, logBatch),
  ...backend('webhook', hook, hook),
  'audit-log-compress': { good: `true ${log}`, wrong: noBool },
  'audit-log-format': { good: `legacy ${log}`, wrong: [`xml ${log}`, `JSON ${log}`, ` ${log}`] },
  'audit-log-maxage': { good: `1 ${log}`, wrong: [...noNumber, `-1 ${log}`] },
  'audit-log-maxbackup': { good: `1 ${log}`, wrong: [...noNumber, `-1 ${log}`] },
  'audit-log-maxsize': { good: `1 ${log}`, wrong: [...noNumber, `-1 ${log}`] },
  'audit-log-path': { good: 'DIR/audit.log', wrong: anyText },
  'audit-policy-file': { good: 'DIR/audit-policy.yaml', wrong: noFile },
  'audit-webhook-config-file': { good: 'DIR/kubeconfig.yaml', wrong: anyText },
  'audit-webhook-initial-backoff': { good: '1s', wrong: noDuration },
  'audit-webhook-batch-initial-backoff': { good: '1s', wrong: noDuration },
};

const oidc = '--oidc-issuer-url=https://127.0.0.1:1 --oidc-client-id=a';
const authentication: Readonly<Record<string, FlagCase>> = {
  'anonymous-auth': { good: 'false', wrong: noBool },
  'api-audiences': { good: 'a,b', wrong: anyText },
  'authentication-config': {
    good: 'DIR/authentication.yaml',
    wrong: [...noFile, `DIR/authentication.yaml ${oidc}`, 'DIR/audit-policy.yaml'],
  },
  'authentication-token-webhook-cache-ttl': { good: '1m', wrong: noDuration },
  'authentication-token-webhook-config-file': {
    good: 'DIR/kubeconfig.yaml',
    wrong: [...noFile, 'DIR/audit-policy.yaml'],
  },
  'authentication-token-webhook-version': {
    good: 'v1',
    wrong: ['v2 --authentication-token-webhook-config-file=DIR/kubeconfig.yaml'],
  },
  'client-ca-file': { good: 'DIR/ca.pem', wrong: noFile },
  'enable-bootstrap-token-auth': { good: 'true', wrong: noBool },
  'oidc-ca-file': { good: `DIR/ca.pem ${oidc}`, wrong: [`DIR/none ${oidc}`, 'DIR/ca.pem'] },
  'oidc-client-id': { good: `a ${oidc}`, wrong: ['a'] },
  'oidc-groups-claim': { good: `groups ${oidc}`, wrong: ['groups'] },
  'oidc-groups-prefix': { good: `a: --oidc-groups-claim=groups ${oidc}`, wrong: ['a:'] },
  'oidc-issuer-url': { good: `https://127.0.0.1:1 ${oidc}`, wrong: ['https://a.b', 'http://a.b --oidc-client-id=a'] },
  'oidc-required-claim': { good: `a=b ${oidc}`, wrong: ['a=b', 'a'] },
  'oidc-signing-algs': { good: `RS256,ES256 ${oidc}`, wrong: [`HS256 ${oidc}`] },
  'oidc-username-claim': { good: `email ${oidc}`, wrong: ['email'] },
  'oidc-username-prefix': { good: `- ${oidc}`, wrong: ['a:'] },
  'requestheader-allowed-names': { good: 'a', wrong: anyText },
  'requestheader-client-ca-file': {
    good: 'DIR/ca.pem --requestheader-username-headers=X-Remote-User --requestheader-allowed-names=front',
    wrong: noFile,
  },
  'requestheader-extra-headers-prefix': { good: 'X-Remote-Extra-', wrong: [' ', 'X-Remote'] },
  'requestheader-group-headers': { good: 'X-Remote-Group', wrong: [' '] },
  'requestheader-uid-headers': { good: 'X-Remote-Uid', wrong: [' '] },
  'requestheader-username-headers': { good: 'X-Remote-User', wrong: [' '] },
  'service-account-extend-token-expiration': { good: 'false', wrong: noBool },
  'service-account-issuer': { good: 'https://a.b', wrong: ['://a', ''] },
  'service-account-jwks-uri': { good: 'https://a.b/keys', wrong: ['http://a.b', 'a'] },
  'service-account-key-file': { good: 'DIR/sa.pub', wrong: [...noFile, 'DIR/ca.pem'] },
  'service-account-lookup': { good: 'false', wrong: noBool },
  'service-account-max-token-expiration': { good: '2h', wrong: [...noDuration, '1s'] },
  'service-account-signing-key-file': { good: 'DIR/sa.key', wrong: noFile },
  'service-account-signing-endpoint': { wrong: ['DIR/signer.sock --service-account-signing-key-file=DIR/sa.key'] },
  'token-auth-file': { good: 'DIR/tokens.csv', wrong: noFile },
};

const hookAuthorizer = '--authorization-mode=Webhook --authorization-webhook-config-file=DIR/kubeconfig.yaml';
const authorization: Readonly<Record<string, FlagCase>> = {
  'authorization-config': {
    good: 'DIR/authorization.yaml',
    wrong: [...noFile, 'DIR/authorization.yaml --authorization-mode=RBAC', 'DIR/audit-policy.yaml'],
  },
  'authorization-mode': { good: 'Node,RBAC', wrong: ['None', 'RBAC,RBAC', 'ABAC', 'Webhook'] },
  'authorization-policy-file': {
    good: 'DIR/abac.jsonl --authorization-mode=ABAC',
    wrong: ['DIR/abac.jsonl', 'DIR/none --authorization-mode=ABAC', 'DIR/ca.pem --authorization-mode=ABAC'],
  },
  'authorization-webhook-cache-authorized-ttl': { good: `1m ${hookAuthorizer}`, wrong: [...noDuration, '1m'] },
  'authorization-webhook-cache-unauthorized-ttl': { good: `1m ${hookAuthorizer}`, wrong: [...noDuration, '1m'] },
  'authorization-webhook-config-file': {
    good: 'DIR/kubeconfig.yaml --authorization-mode=Webhook',
    wrong: ['DIR/kubeconfig.yaml', 'DIR/none --authorization-mode=Webhook'],
  },
  'authorization-webhook-version': { good: `v1 ${hookAuthorizer}`, wrong: [`v2 ${hookAuthorizer}`] },
  'egress-selector-config-file': { good: 'DIR/egress.yaml', wrong: [...noFile, 'DIR/audit-policy.yaml'] },
  'admission-control': { good: 'NamespaceLifecycle', wrong: ['None'] },
  'admission-control-config-file': { good: 'DIR/admission.yaml', wrong: [...noFile, 'DIR/audit-policy.yaml'] },
  'default-not-ready-toleration-seconds': { good: '10', wrong: noNumber },
  'default-unreachable-toleration-seconds': { good: '10', wrong: noNumber },
  'disable-admission-plugins': { good: 'ServiceAccount', wrong: ['None'] },
  'enable-admission-plugins': { good: 'AlwaysPullImages', wrong: ['None'] },
};

const observability: Readonly<Record<string, FlagCase>> = {
  'allow-metric-labels': { good: 'a,b=c', wrong: ['a', 'a=b'] },
  'allow-metric-labels-manifest': { good: 'DIR/labels.yaml', wrong: ['DIR/labels.yaml --allow-metric-labels=a,b=c'] },
  'disabled-metrics': { good: 'a', wrong: anyText },
  'show-hidden-metrics-for-version': { good: '1.35', wrong: ['1.20', 'x', '1'] },
  'log-flush-frequency': { good: '1s', wrong: [...noDuration, '0'] },
  'log-json-info-buffer-size': { good: '0', wrong: ['x', '10'] },
  'log-json-split-stream': { good: 'false', wrong: [...noBool, 'true'] },
  'log-text-info-buffer-size': { good: '0', wrong: ['x', '10'] },
  'log-text-split-stream': { good: 'false', wrong: [...noBool, 'true'] },
  'logging-format': { good: 'json', wrong: ['xml'] },
  v: { good: '1', wrong: ['x', '-1', '4000000000'] },
  vmodule: { good: 'a=1', wrong: ['a', '=1', 'a=x', 'a=1 --logging-format=json'] },
  'tracing-config-file': { good: 'DIR/tracing.yaml', wrong: [...noFile, 'DIR/audit-policy.yaml'] },
  'contention-profiling': { good: 'true', wrong: noBool },
  'debug-socket-path': { good: 'DIR/debug.sock', wrong: anyText },
  'enable-priority-and-fairness': { good: 'false', wrong: noBool },
  profiling: { good: 'false', wrong: noBool },
  'enable-logs-handler': { good: 'true', wrong: noBool },
  'max-connection-bytes-per-sec': { good: '1000', wrong: noNumber },
};

const peerGate = '--feature-gates=UnknownVersionInteroperabilityProxy=true';
const proxyClient = '--proxy-client-cert-file=DIR/cert.pem --proxy-client-key-file=DIR/key.pem';
const peers = `--peer-ca-file=DIR/ca.pem ${proxyClient} ${peerGate}`;
const misc: Readonly<Record<string, FlagCase>> = {
  'aggregator-reject-forwarding-redirect': { good: 'false', wrong: noBool },
  'allow-privileged': { good: 'true', wrong: noBool },
  'coordinated-leadership-lease-duration': { good: '20s', wrong: [...noDuration, '5s'] },
  'coordinated-leadership-renew-deadline': { good: '12s', wrong: [...noDuration, '1s', '1m'] },
  'coordinated-leadership-retry-period': { good: '1s', wrong: [...noDuration, '1m'] },
  'enable-aggregator-routing': { good: 'true', wrong: noBool },
  'endpoint-reconciler-type': { good: 'none', wrong: ['other'] },
  'event-ttl': { good: '2h', wrong: noDuration },
  'kubelet-certificate-authority': { good: 'DIR/ca.pem', wrong: noFile },
  'kubelet-client-certificate': { good: 'DIR/cert.pem --kubelet-client-key=DIR/key.pem', wrong: noFile },
  'kubelet-client-key': { good: 'DIR/key.pem --kubelet-client-certificate=DIR/cert.pem', wrong: noFile },
  'kubelet-preferred-address-types': { good: 'InternalIP', wrong: anyText },
  'kubelet-timeout': { good: '1s', wrong: noDuration },
  'kubelet-port': { good: '10250', wrong: ['-1'] },
  'kubelet-read-only-port': { good: '10255', wrong: ['-1'] },
  'kubernetes-service-node-port': { good: '0', wrong: [...noNumber, '-1', '80'] },
  'peer-advertise-ip': { wrong: ['127.0.0.1', `x ${peers}`, `::1 ${peers}`] },
  'peer-advertise-port': { wrong: ['6443', `x ${peers}`, `70000 ${peers}`, `-1 ${peers}`] },
  'peer-ca-file': {
    wrong: ['DIR/ca.pem', `DIR/none ${proxyClient} ${peerGate}`, `DIR/key.pem ${proxyClient} ${peerGate}`],
  },
  'proxy-client-cert-file': { good: 'DIR/cert.pem --proxy-client-key-file=DIR/key.pem', wrong: noFile },
  'proxy-client-key-file': { good: 'DIR/key.pem --proxy-client-cert-file=DIR/cert.pem', wrong: noFile },
  'service-cluster-ip-range': { good: '10.1.0.0/16', wrong: ['10.0.0.1', '10.0.0.0/8,10.1.0.0/16,10.2.0.0/16'] },
  'service-node-port-range': { good: '30000-30100', wrong: ['30000', 'x', '10-5'].slice(1) },
  help: { wrong: noBool },
};

/** Every flag of the reference, with those that its help does not show. `etcd-servers` is given by each start. */
export const flagCases: Readonly<Record<string, FlagCase>> = {
  ...generic,
  ...storage,
  ...serving,
  ...auditing,
  ...authentication,
  ...authorization,
  ...observability,
  ...misc,
};
