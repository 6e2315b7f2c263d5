import { validateAdmissionFlags } from '#shared/admission/admission-flags.ts';
import { tokenWebhookErrors } from '#shared/authentication/token-webhook/open-token-webhook.ts';
import { egressSelectorErrors } from '#shared/egress/egress-selector.ts';
import { corsOriginErrors } from '#shared/filters/with-cors.ts';
import { storageMediaTypes } from '#shared/serializer/stored.ts';
import { cipherSuiteErrors } from '#shared/server/http/cipher-suites.ts';
import { keyExchangeErrors } from '#shared/server/http/key-exchanges.ts';
import { parseBackendAddress } from './backend-address.ts';
import { controllerErrors } from './controller-flags.ts';
import type { ServerOptions } from './server-options.ts';
import { serviceRangeErrors } from './service-ranges.ts';
import { servingChoiceErrors } from './serving-choice.ts';
import { signerFlagErrors } from './signer-flag-errors.ts';
import { validateStorageOverrides } from './storage-overrides.ts';
import { auditErrors } from './validate-audit.ts';
import { authenticationErrors } from './validate-authentication.ts';
import { observabilityErrors } from './validate-observability.ts';
import { peerErrors } from './validate-peers.ts';
import { watchCacheSizeErrors } from './watch-cache-sizes.ts';

/** All errors in the values of the flags, alone and in combination. */
export function validateServerOptions(options: ServerOptions): string[] {
  return [
    ...validateServing(options),
    ...authenticationErrors(options),
    ...validateAdmissionFlags(options),
    ...servingChoiceErrors(options),
    ...validateRest(options),
    ...tokenWebhookErrors(options),
    ...watchCacheSizeErrors(options),
    ...signerFlagErrors(options),
    ...auditErrors(options),
    ...observabilityErrors(options),
    ...peerErrors(options),
    ...egressSelectorErrors(options),
    ...controllerErrors(options),
  ];
}

/** Flow control divides the sum of both numbers among the priority levels (apiserver/pkg/server/options/feature.go). */
function seatErrors(options: ServerOptions): string[] {
  const { enablePriorityAndFairness, maxRequestsInflight: reads, maxMutatingRequestsInflight: writes } = options;
  if (!enablePriorityAndFairness || reads + writes !== 0) return [];
  return [
    '--max-requests-inflight=0 and --max-mutating-requests-inflight=0 must add up to something positive, or have ' +
      '--enable-priority-and-fairness=false beside them',
  ];
}

function validateServing(options: ServerOptions): string[] {
  const errors: string[] = [];
  if (options.securePort < 0 || options.securePort > 65535) {
    errors.push(
      `--secure-port ${options.securePort} must be between 0 and 65535, inclusive. 0 for turning off secure port`,
    );
  }
  if (options.livezGracePeriod < 0) errors.push('--livez-grace-period can not be a negative value');
  const notNegative = {
    maxRequestsInflight: '--max-requests-inflight',
    maxMutatingRequestsInflight: '--max-mutating-requests-inflight',
    requestTimeout: '--request-timeout',
    minRequestTimeout: '--min-request-timeout',
    shutdownDelayDuration: '--shutdown-delay-duration',
    storageInitializationTimeout: '--storage-initialization-timeout',
  } as const;
  for (const [key, name] of Object.entries(notNegative) as [keyof typeof notNegative, string][]) {
    if (options[key] < 0) errors.push(`${name} can not be negative value`);
  }
  errors.push(...seatErrors(options), ...corsOriginErrors(options.corsAllowedOrigins));
  if (options.shutdownWatchTerminationGracePeriod < 0)
    errors.push('shutdown-watch-termination-grace-period, if provided, can not be a negative value');
  if (options.goawayChance < 0 || options.goawayChance > 0.02) {
    errors.push('--goaway-chance can not be less than 0 or greater than 0.02');
  }
  if ((options.tlsCertFile === '') !== (options.tlsPrivateKeyFile === '')) {
    errors.push('--tls-cert-file and --tls-private-key-file must be given together');
  }
  if (!['', 'VersionTLS12', 'VersionTLS13'].includes(options.tlsMinVersion)) {
    errors.push(`--tls-min-version ${JSON.stringify(options.tlsMinVersion)} is none of VersionTLS12, VersionTLS13`);
  }
  errors.push(
    ...cipherSuiteErrors(
      options.tlsCipherSuites,
      !options.disableHttp2Serving && options.tlsMinVersion !== 'VersionTLS13',
    ),
  );
  errors.push(...keyExchangeErrors(options.tlsCurvePreferences));
  for (const directive of options.strictTransportSecurityDirectives) {
    if (!/^(max-age=\d+|includeSubDomains|preload)$/.test(directive))
      errors.push(
        `--strict-transport-security-directives invalid, allowed values: max-age=expireTime, includeSubDomains, preload. see https://tools.ietf.org/html/rfc6797#section-6.1 for more information`,
      );
  }
  return errors;
}

function validateRest(options: ServerOptions): string[] {
  const errors = [...validateReplicas(options), ...validateStorageOverrides(options.etcdServersOverrides)];
  errors.push(...serviceRangeErrors(options));
  if (!['', 'etcd3'].includes(options.storageBackend))
    errors.push(`--storage-backend invalid, allowed values: etcd3. If not specified, it will default to 'etcd3'`);
  if (options.storageMediaType !== '' && !storageMediaTypes.includes(options.storageMediaType))
    errors.push(
      `--storage-media-type ${JSON.stringify(options.storageMediaType)} invalid, allowed values: ${storageMediaTypes.toSorted().join(', ')}`,
    );
  if (options.encryptionProviderConfigAutomaticReload && options.encryptionProviderConfig === '')
    errors.push('--encryption-provider-config-automatic-reload must be set with --encryption-provider-config');
  errors.push(...validateServiceNodePort(options));
  if (!['lease', 'master-count', 'none'].includes(options.endpointReconcilerType))
    errors.push(`--endpoint-reconciler-type unknown: '${options.endpointReconcilerType}'`);
  return errors;
}

function validateServiceNodePort({ kubernetesServiceNodePort: port, serviceNodePortRange }: ServerOptions): string[] {
  const { first, last } = serviceNodePortRange;
  const errors: string[] = [];
  if (port < 0 || port > 65_535)
    errors.push(
      `--kubernetes-service-node-port ${port} must be between 0 and 65535, inclusive. If 0, the Kubernetes master service will be of type ClusterIP`,
    );
  if (port > 0 && (port < first || port > last))
    errors.push(`kubernetes service node port range ${first}-${last} doesn't contain ${port}`);
  return errors;
}

function validateReplicas(options: ServerOptions): string[] {
  const errors: string[] = [];
  const { coreServers, extensionsServers, internalListenAddress } = options;
  const addresses = {
    '--core-servers': coreServers,
    '--extensions-servers': extensionsServers,
    '--internal-listen-address': internalListenAddress === '' ? [] : [internalListenAddress],
  };
  for (const [name, texts] of Object.entries(addresses)) {
    for (const text of texts)
      if (parseBackendAddress(text) === undefined)
        errors.push(`${name} ${JSON.stringify(text)} is neither unix:///path nor host:port`);
  }
  const counts = {
    '--core-replicas': options.coreReplicas,
    '--extensions-replicas': options.extensionsReplicas,
    '--gateway-replicas': options.gatewayReplicas,
  };
  for (const [name, count] of Object.entries(counts))
    if (count < 1 || count > 64) errors.push(`${name} ${count} must be between 1 and 64`);
  if (options.snapshotRetention < 1)
    errors.push(`--snapshot-retention ${options.snapshotRetention} must be at least 1`);
  if (options.snapshotInterval > 0 && options.etcdServers.length > 0)
    errors.push('--snapshot-interval is for the embedded store: an etcd is saved by "etcdctl snapshot save"');
  if (options.gatewayReplicas > 1 && options.securePort === 0)
    errors.push('--gateway-replicas above 1 needs a --secure-port that they can share');
  return errors;
}
