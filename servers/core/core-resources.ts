import { mayForSigner } from './admission/certificates/signer-access.ts';
import { requireAllowed, requireAlso } from '../../shared/authorization/forbidden.ts';
import type { Facts } from '../../shared/api/facts.ts';
import { parseGroupVersion } from '../../shared/apimachinery/gvk.ts';
import type { KubeObject } from '../../shared/apimachinery/object.ts';
import type { Authentication } from '../../shared/authentication/create-authenticator.ts';
import { ServiceAccountTokens } from '../../shared/authentication/service-account/service-account-tokens.ts';
import { readSigningKey } from '../../shared/authentication/service-account/signing-keys.ts';
import type { AuthorizationSystem } from '../../shared/authorization/create-authorizer.ts';
import type { ResourceStore } from '../../shared/registry/resource-store.ts';
import { createRestResources, type RestResources } from '../../shared/registry/create-rest-resources.ts';
import type { ReportError } from '../../shared/registry/store-parts.ts';
import type { Strategy } from '../../shared/registry/strategy.ts';
import { applyDefaults } from '../../shared/serializer/defaults.ts';
import type { RequestContext } from '../../shared/request/request-context.ts';
import type { ServerOptions } from '../../shared/server/options/server-options.ts';
import { isServed } from '../../shared/server/options/serving-choice.ts';
import type { Storage } from '../../shared/storage/storage.ts';
import { askAuthorizer } from './admission/ask-authorizer.ts';
import { ClusterIPs } from './allocation/cluster-ips.ts';
import { NodePorts } from './allocation/node-ports.ts';
import { rangeCodec } from './allocation/range-codec.ts';
import type { CoreContext } from './context/core-context.ts';
import { KubeletConnections } from './kubelet/kubelet-connections.ts';
import type { ServiceAllocators } from './allocation/service-allocators.ts';
import type { ClaimGuard, NamespaceLabels, RoleGuard, SignerGuard } from './apis/contract/guards.ts';
import type { TokenIssuing } from './apis/contract/token-issuing.ts';
import type { RuleSettings } from './gates/rule-settings.ts';
import { coreDefinitions, coreStrategies } from './built-in-definitions.ts';
import { serviceRanges } from './post-start-hooks.ts';
import type { Gates } from './gates/gates.ts';
import type { ExpressionCompilers } from './validation/expressions.ts';

export interface CoreResourcesParts {
  readonly settings: RuleSettings;
  readonly expressions: ExpressionCompilers;
  readonly facts: Facts;
  readonly storage: Storage;
  readonly options: ServerOptions;
  readonly authentication: Authentication;
  /** Told of failures that no client is told of. */
  readonly reportError: ReportError;
}

export interface CoreResources {
  readonly rest: RestResources;
  readonly core: CoreContext;
  /** What Services hold. */
  readonly allocators: ServiceAllocators;
  readonly kubelets: KubeletConnections;
  /** Authorization reads the caches that are made here, so it comes afterwards, but before the first request. */
  use(authorization: AuthorizationSystem): void;
}

/** Groups whose objects other servers serve. */
const elsewhere = new Set(['apiregistration.k8s.io', 'apiextensions.k8s.io', 'meta.k8s.io']);

/** The resources of this server with everything that they lean on. */
export function createCoreResources({
  settings,
  expressions,
  facts,
  storage,
  options,
  authentication,
  reportError,
}: CoreResourcesParts): CoreResources {
  let system: AuthorizationSystem | undefined;
  const authorization = (): AuthorizationSystem => {
    if (system === undefined) throw new Error('authorization is not set up yet');
    return system;
  };
  let core: CoreContext | undefined;
  let allocators: ServiceAllocators | undefined;
  let kubelets: KubeletConnections | undefined;
  let strategyOf: ((group: string, resource: string) => Strategy) | undefined;
  const rest = createRestResources({
    facts,
    storage,
    storageMediaType: options.storageMediaType,
    servesGroup: (group) => !elsewhere.has(group),
    isServed: isServed(options, facts),
    reportError,
    garbageCollection: options.enableGarbageCollector,
    strategyOf: (group, resource) => strategyOf?.(group, resource),
    definitions(resources) {
      core = contextOf(facts, storage, resources);
      allocators = {
        clusterIPs: new ClusterIPs(core, serviceRanges(options)),
        nodePorts: new NodePorts(storage, rangeCodec(facts, options.storageMediaType), options.serviceNodePortRange),
      };
      strategyOf = coreStrategies({
        ...settings,
        expressions,
        ...allocators,
        ...strategyGuards(resources, settings.gates, authorization),
        eventTtlSeconds: Math.round(options.eventTtl / 1000),
      });
      kubelets = new KubeletConnections(options, core, reportError);
      const requireVerb = (context: RequestContext, verb: string): Promise<void> =>
        requireAlso(authorization().authorizer, context, verb);
      const tokens = tokenIssuing(options, authentication);
      return coreDefinitions({ ...settings, core, kubelets, requireVerb, tokens, authentication, authorization });
    },
  });
  if (core === undefined || allocators === undefined || kubelets === undefined)
    throw new Error('resources were made without their definitions');
  return { rest, core, allocators, kubelets, use: (made) => void (system = made) };
}

function contextOf(facts: Facts, storage: Storage, resources: RestResources): CoreContext {
  return {
    storage,
    caches: resources.caches,
    store: (group, resource) => resources.store(group, resource),
    setDefaults: (group, resource, object) => setDefaults(facts, resources.store(group, resource), object),
  };
}

/** What strategies ask of other resources and of authorization. */
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
    guardRole: async (role, old, context) => await authorization().guard?.guardRole(role, old, context),
    guardBinding: async (binding, old, context) => await authorization().guard?.guardBinding(binding, old, context),
  };
}

function tokenIssuing(options: ServerOptions, authentication: Authentication): TokenIssuing {
  const [issuer = ''] = options.serviceAccountIssuer;
  return {
    tokens: new ServiceAccountTokens(issuer, readSigningKey(options.serviceAccountSigningKeyFile)),
    audiences: authentication.apiAudiences,
    extendExpiration: options.serviceAccountExtendTokenExpiration,
    maxSeconds: Math.floor(options.serviceAccountMaxTokenExpiration / 1000),
  };
}

function setDefaults(
  facts: Facts,
  { facts: { storageVersion, kind }, strategy }: ResourceStore,
  object: KubeObject,
): void {
  const { group, version } = parseGroupVersion(storageVersion);
  const schema = facts.schema(group, version, kind);
  if (schema) applyDefaults(schema, object);
  strategy.applyDefaults?.(object);
}
