// Compares what `/flagz` says of the flags' values with the reference, by default and with many of them given:
//   REFERENCE_BIN=FOLDER node --import tsx test/conformance/flags/flagz.ts
// Needs the bundles of dist (or QUARTERDECK_DIST) and etcd.
import { startPair, type Side } from '#test/compare/pair.ts';
import { Report } from '#test/compare/report.ts';

const many: readonly string[] = [
  '--admission-control=NamespaceLifecycle,LimitRanger',
  '--allow-metric-labels=apiserver_request_total,verb=GET',
  '--api-audiences=a,b',
  '--authentication-token-webhook-cache-ttl=3m',
  '--contention-profiling=true',
  '--cors-allowed-origins=^//a.b$,^//c$',
  '--disabled-metrics=apiserver_request_total,x_y',
  '--etcd-compaction-interval=0',
  '--event-ttl=90m',
  '--external-hostname=h.example',
  '--feature-gates=WatchListClient=true,CBORServingAndStorage=true,LoggingAlphaOptions=true,AllAlpha=false',
  '--goaway-chance=0.01',
  '--kubelet-preferred-address-types=InternalIP',
  '--log-text-info-buffer-size=64Ki',
  '--oidc-issuer-url=https://127.0.0.1:1/x',
  '--oidc-client-id=z',
  '--oidc-required-claim=a=b,c=d',
  '--request-timeout=1m5s',
  '--runtime-config=api/beta=true,apps/v1=true',
  '--service-node-port-range=30000-31000',
  '--shutdown-delay-duration=0',
  '--strict-transport-security-directives=max-age=1,preload',
  '--tls-cipher-suites=TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256',
  '--vmodule=a=1,b*=2',
  '--watch-cache-sizes=pods#5,nodes#7',
];

/** Given otherwise to the two: addresses, folders, certificates, and what the frame of comparisons sets. */
const setUp: ReadonlySet<string> = new Set([
  'client-ca-file',
  'enable-aggregator-routing',
  'etcd-servers',
  'kubelet-client-certificate',
  'secure-port',
  'kubelet-client-key',
  'proxy-client-cert-file',
  'proxy-client-key-file',
  'requestheader-allowed-names',
  'requestheader-client-ca-file',
  'requestheader-uid-headers',
  'service-account-key-file',
  'token-auth-file',
  'service-account-signing-key-file',
  'shutdown-watch-termination-grace-period',
  'tls-cert-file',
  'tls-private-key-file',
]);
/** The reference writes the plugins of `--admission-control` into these; here they stay as they were given. */
const explained: ReadonlySet<string> = new Set(['enable-admission-plugins', 'disable-admission-plugins']);

const report = new Report();

/** The reference draws the mark between a name and its value when it starts. */
const line = /^([a-z0-9-]+)(?:: |[:= ])(.*?)(?: \(without effect\))?$/;

async function valuesOf({ server }: Side): Promise<ReadonlyMap<string, string>> {
  const headers = { accept: 'text/plain' };
  const { body } = await server.send({ method: 'GET', path: '/flagz', headers, body: undefined });
  const lines = String(body)
    .split('\n')
    .map((text) => line.exec(text));
  return new Map(lines.flatMap((match) => (match === null ? [] : [[match[1] ?? '', inOrder(match[2] ?? '')]])));
}

/** The reference prints maps in an order of chance. */
function inOrder(value: string): string {
  return value.startsWith('[') ? value.slice(1, -1).split(',').toSorted().join() : value;
}

for (const [part, flags] of Object.entries({ default: [], many })) {
  const pair = await startPair({ flags });
  try {
    const [ours, theirs] = await Promise.all([valuesOf(pair.ours), valuesOf(pair.theirs)]);
    for (const [name, value] of theirs)
      if (!setUp.has(name)) report.equal(part, name, value, ours.get(name) ?? 'absent', explained.has(name));
  } finally {
    await pair.close();
  }
}
process.exitCode = report.finish();
