import type { ServiceAllocators } from '#servers/core/allocation/service-allocators.ts';
import type { CoreContext } from '#servers/core/context/core-context.ts';
import type { GatedFields } from '#servers/core/gates/disabled-fields.ts';
import type { RuleOptions } from '#servers/core/gates/rule-options.ts';
import type { KubeletConnections } from '#servers/core/kubelet/kubelet-connections.ts';
import type { TargetAgents } from '#servers/core/proxy/target-agents.ts';
import type { ExpressionCompilers } from '#servers/core/validation/expressions.ts';
import type { Authentication } from '#shared/authentication/create-authenticator.ts';
import type { AuthorizationSystem } from '#shared/authorization/create-authorizer.ts';
import type { SubresourceDefinition } from '#shared/registry/define-resource.ts';
import type { Conversion, Creator, ResourceReader } from '#shared/registry/rest.ts';
import type { Strategy } from '#shared/registry/strategy.ts';
import type { RequestContext } from '#shared/request/request-context.ts';
import type { KindRows } from '#shared/serializer/table/kind-rows.ts';
import type { ClaimGuard, NamespaceLabels, RoleGuard, SignerGuard } from './guards.ts';
import type { PodHolder } from './pod-holder.ts';
import type { TokenIssuing } from './token-issuing.ts';

/** What a strategy can be constructed from; each uses a part of it. */
export interface StrategyDependencies
  extends RuleOptions, ServiceAllocators, RoleGuard, NamespaceLabels, ClaimGuard, SignerGuard {
  readonly expressions: ExpressionCompilers;
  /** `--event-ttl`, whole seconds. */
  readonly eventTtlSeconds: number;
}

/** What subresources, and resources that are not stored, can be constructed from. */
export interface RestDependencies extends RuleOptions {
  readonly core: CoreContext;
  readonly kubelets: KubeletConnections;
  /** Connections of the proxies to pods, services and nodes. */
  readonly proxyAgents: TargetAgents;
  /** Throws 403 unless the user is also authorized for `verb` on the object of the request. */
  readonly requireVerb: (context: RequestContext, verb: string) => Promise<void>;
  readonly tokens: TokenIssuing;
  readonly authentication: Authentication;
  /** Created after the resources, whose caches it reads, and before the first request. */
  readonly authorization: () => AuthorizationSystem;
}

/** How PUT, `metadata` and its generation behave (pkg/registry/<group>/<resource>/strategy.go). */
type WriteRules = Pick<
  Strategy,
  | 'allowCreateOnUpdate'
  | 'allowUnconditionalUpdate'
  | 'generation'
  | 'metadataOnUpdate'
  | 'metadataOnStatusUpdate'
  | 'anyFinalizers'
  | 'resetFields'
>;

/**
 * A built-in resource with everything that its generated facts do not contain. By default PUT does not create and needs
 * no resourceVersion, there is no generation, a write of the object keeps the status, and a write of the status keeps
 * the spec.
 */
export interface BuiltInResource {
  readonly group: string;
  readonly resource: string;
  readonly strategy?: Strategy | ((dependencies: StrategyDependencies) => Strategy);
  /** The rows of a Table for its objects; default: name and creation time. */
  readonly rows?: KindRows;
  readonly writes?: WriteRules;
  /** Fields that need a feature gate; those below `status` apply to writes of the status. */
  readonly gatedFields?: readonly GatedFields[];
  /** The strategy raises the generation itself, before disabled fields are dropped, as in the reference. */
  readonly countsAsSent?: true;
  /** Set if the resource holds a pod or a pod template. */
  readonly podHolder?: PodHolder;
  /** By name; `status` needs no entry. */
  readonly subresources?: (dependencies: RestDependencies) => Readonly<Record<string, SubresourceDefinition>>;
  /** Conversions by served version, for versions that differ from the storage version. */
  readonly conversions?: Readonly<Record<string, Conversion>>;
  /** How a resource that is not stored is created and read. */
  readonly creator?: (dependencies: RestDependencies) => Creator;
  readonly reader?: (dependencies: RestDependencies) => ResourceReader;
}

/** Returns its argument; it exists so that the compiler checks the definition at the call. */
export function defineBuiltIn(resource: BuiltInResource): BuiltInResource {
  return resource;
}
