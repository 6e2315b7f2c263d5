import type { Facts } from '#shared/api/facts.ts';
import { parseGroupVersion } from '#shared/apimachinery/gvk.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import type { Authentication } from '#shared/authentication/create-authenticator.ts';
import {
  extendedExpirationSeconds,
  keySigner,
  ServiceAccountTokens,
} from '#shared/authentication/service-account/service-account-tokens.ts';
import { readSigningKey } from '#shared/authentication/service-account/signing-keys.ts';
import { askAuthorizer } from '#shared/authorization/ask-authorizer.ts';
import type { AuthorizationSystem } from '#shared/authorization/create-authorizer.ts';
import { requireAllowed, requireAlso } from '#shared/authorization/forbidden.ts';
import { processCaches } from '#shared/caches/cache-budget.ts';
import { openAccess, type ProcessAccess, type ServerDependencies } from '#shared/process/server-dependencies.ts';
import type { RestResources } from '#shared/registry/create-rest-resources.ts';
import type { ResourceStore } from '#shared/registry/resource-store.ts';
import { applyDefaults } from '#shared/serializer/defaults.ts';
import { openResources } from '#shared/server/assembly/open-resources.ts';
import { effectiveVersion } from '#shared/server/options/effective-version.ts';
import { featureGates } from '#shared/server/options/feature-gates.ts';
import type { ServerOptions } from '#shared/server/options/server-options.ts';
import { serviceRanges } from '#shared/server/options/service-ranges.ts';
import type { Storage } from '#shared/storage/storage.ts';
import { mayForSigner } from './admission/certificates/signer-access.ts';
import { ClusterIPs } from './allocation/cluster-ips.ts';
import { NodePorts } from './allocation/node-ports.ts';
import { rangeCodec } from './allocation/range-codec.ts';
import type { ServiceAllocators } from './allocation/service-allocators.ts';
import type { ClaimGuard, NamespaceLabels, RoleGuard, SignerGuard } from './apis/contract/guards.ts';
import type { TokenIssuing } from './apis/contract/token-issuing.ts';
import { coreDefinitions } from './built-in-definitions.ts';
import type { CoreContext } from './context/core-context.ts';
import type { Gates } from './gates/gates.ts';
import type { RuleOptions } from './gates/rule-options.ts';
import { KubeletConnections } from './kubelet/kubelet-connections.ts';
import { TargetAgents } from './proxy/target-agents.ts';
import { ExpressionCompilers } from './validation/expressions.ts';

export interface CoreResources {
  readonly rest: RestResources;
  readonly core: CoreContext;
  /** Authorization reads the caches of the resources. */
  readonly access: ProcessAccess;
  readonly gates: Gates;
  /** The allocators of Services' addresses and node ports. */
  readonly allocators: ServiceAllocators;
  readonly kubelets: KubeletConnections;
  readonly expressions: ExpressionCompilers;
  /** Ends the connections to kubelets; called when the last request has been served. */
  close(): void;
}

/** API groups that other servers serve. */
const elsewhere = new Set(['apiregistration.k8s.io', 'apiextensions.k8s.io', 'meta.k8s.io']);

export function isServedHere(group: string): boolean {
  return !elsewhere.has(group);
}

/** Creates the resources of this server with everything that they depend on, and their authorization. */
export function openCoreResources(dependencies: ServerDependencies): CoreResources {
  const { options, facts, storage, authentication, egress, reportError } = dependencies;
  const ruleOptions: RuleOptions = {
    gates: featureGates(options).record(),
    allowPrivileged: options.allowPrivileged,
  };
  const expressions = new ExpressionCompilers(effectiveVersion(options).minCompatibility, ruleOptions.gates);
  // Definitions are made from the stores and caches of these resources, which ask for them at their first use only.
  const rest = openResources(dependencies, { servesGroup: isServedHere, definitions: () => definitions });
  const authorization = (): AuthorizationSystem => access;
  const core = contextOf(facts, storage, rest);
  const toCluster = egress.selector.dialer('cluster');
  const kubelets = new KubeletConnections(options, core, reportError, toCluster);
  const allocators = {
    clusterIPs: new ClusterIPs(core, serviceRanges(options)),
    nodePorts: new NodePorts(storage, rangeCodec(facts, options.storageMediaType), options.serviceNodePortRange),
  };
  const definitions = coreDefinitions({
    ...ruleOptions,
    ...allocators,
    ...strategyGuards(rest, ruleOptions.gates, authorization),
    expressions,
    eventTtlSeconds: Math.round(options.eventTtl / 1000),
    core,
    kubelets,
    proxyAgents: new TargetAgents(options.maxConnectionBytesPerSec, toCluster),
    requireVerb: (context, verb) => requireAlso(access.authorizer, context, verb),
    tokens: tokenIssuing(options, ruleOptions.gates, authentication),
    authentication,
    authorization,
  });
  const access = openAccess(dependencies, rest.caches);
  const removeFromBudget = processCaches.register('expressions', () => expressions.keptBytes);
  const close = (): void => {
    removeFromBudget();
    kubelets.close();
  };
  return { rest, core, access, gates: ruleOptions.gates, allocators, kubelets, expressions, close };
}

function contextOf(facts: Facts, storage: Storage, resources: RestResources): CoreContext {
  return {
    storage,
    caches: resources.caches,
    store: (group, resource) => resources.store(group, resource),
    setDefaults: (group, resource, object) => setDefaults(facts, resources.store(group, resource), object),
  };
}

/** The checks of strategies that need other resources or authorization. */
function strategyGuards(
  resources: RestResources,
  gates: Gates,
  authorization: () => AuthorizationSystem,
): NamespaceLabels & ClaimGuard & SignerGuard & RoleGuard {
  return {
    labelsOf(namespace) {
      const namespaces = resources.store('', 'namespaces');
      return namespaces.cache.get(namespaces.key('', namespace))?.labels ?? {};
    },
    requireAllowed: gates.DRAResourceClaimGranularStatusAuthorization
      ? (attributes) => requireAllowed(authorization().authorizer, attributes)
      : undefined,
    maySign: (user, signerName) => mayForSigner(askAuthorizer(authorization().authorizer), user, 'sign', signerName),
    guardRole: async (role, old, context) => await authorization().guard.guardRole(role, old, context),
    guardBinding: async (binding, old, context) => await authorization().guard.guardBinding(binding, old, context),
  };
}

function tokenIssuing(options: ServerOptions, gates: Gates, authentication: Authentication): TokenIssuing {
  const [issuer = ''] = options.serviceAccountIssuer;
  const { externalSigner: external } = authentication;
  const signer = external?.signer ?? keySigner(readSigningKey(options.serviceAccountSigningKeyFile));
  return {
    tokens: new ServiceAccountTokens(issuer, signer),
    audiences: authentication.apiAudiences,
    extendExpiration: options.serviceAccountExtendTokenExpiration,
    maxSeconds: external?.maxSeconds ?? Math.floor(options.serviceAccountMaxTokenExpiration / 1000),
    extendedSeconds: Math.min(extendedExpirationSeconds, external?.signerMaxSeconds ?? extendedExpirationSeconds),
    validatesUid: gates.TokenRequestServiceAccountUIDValidation,
  };
}

function setDefaults(
  facts: Facts,
  { facts: { storageVersion, kind }, strategy }: ResourceStore,
  object: KubeObject,
): void {
  const { group, version } = parseGroupVersion(storageVersion);
  const schema = facts.schema(group, version, kind);
  if (schema) atOnce(applyDefaults(schema, object));
  strategy.applyDefaults?.(object);
}
