import { boolKind, durationKind, intKind, stringKind } from './flag-kinds.ts';
import { flag } from './flag-set.ts';
import { levelKind } from './level-kinds.ts';
import { portRangeKind } from './port-range-kind.ts';
import { versionKind } from './version-kind.ts';

const misc = 'Misc';

/** Flags of networking, the aggregator, logs and the rest. */
export const clusterFlags = {
  apiserverCount: flag(
    intKind,
    misc,
    1,
    'How many API servers there are, for --endpoint-reconciler-type=master-count.',
  ),
  enableAggregatorRouting: flag(
    boolKind,
    misc,
    false,
    'Whether requests to extension servers go to endpoint addresses instead of the cluster address.',
  ),
  endpointReconcilerType: flag(
    stringKind,
    misc,
    'lease',
    'How the endpoints of the kubernetes Service are kept: lease, master-count or none.',
  ),
  eventTtl: flag(durationKind, misc, 3_600_000, 'How long events are kept.'),
  kubernetesServiceNodePort: flag(intKind, misc, 0, 'Node port of the kubernetes Service; 0 for a ClusterIP only.'),
  proxyClientCertFile: flag(stringKind, misc, '', 'Client certificate (PEM) towards extension servers and webhooks.'),
  proxyClientKeyFile: flag(stringKind, misc, '', 'Private key of --proxy-client-cert-file.'),
  serviceClusterIpRange: flag(
    stringKind,
    misc,
    '',
    'One CIDR, or one of each family with a comma between, for cluster addresses; without it 10.0.0.0/24.',
  ),
  serviceNodePortRange: flag(
    portRangeKind,
    misc,
    { first: 30000, last: 32767 },
    'Ports for Services of type NodePort, both ends included.',
  ),
  version: flag(
    versionKind,
    'Global',
    'false',
    'Prints the release and ends; --version=raw prints all that is known of the build; --version=v1.36.3-TEXT is reported to clients.',
  ),
  profiling: flag(boolKind, 'Features', true, 'Whether there are paths for profiling below /debug/pprof/.'),
  loggingFormat: flag(stringKind, 'Logs', 'text', 'Form of log lines: text or json.'),
  logFlushFrequency: flag(
    durationKind,
    'Logs',
    5000,
    'Longest time that information waits in the buffer of --log-text-info-buffer-size or --log-json-info-buffer-size.',
  ),
  v: flag(levelKind, 'Logs', 0, 'How much is logged: 0 to 10.', { shorthand: 'v' }),
  aggregatorRejectForwardingRedirect: flag(
    boolKind,
    misc,
    true,
    'Whether a redirect that a registered server answers with is refused instead of handed to the client.',
  ),
};
