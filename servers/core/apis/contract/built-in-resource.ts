import type { Authentication } from '../../../../shared/authentication/create-authenticator.ts';
import type { AuthorizationSystem } from '../../../../shared/authorization/create-authorizer.ts';
import type { SubresourceDefinition } from '../../../../shared/registry/define-resource.ts';
import type { Conversion, Creator, ResourceReader } from '../../../../shared/registry/rest.ts';
import type { Strategy } from '../../../../shared/registry/strategy.ts';
import type { KindRows } from '../../../../shared/serializer/table/kind-rows.ts';
import type { RequestContext } from '../../../../shared/request/request-context.ts';
import type { ServiceAllocators } from '../../allocation/service-allocators.ts';
import type { CoreContext } from '../../context/core-context.ts';
import type { GatedFields } from '../../gates/disabled-fields.ts';
import type { KubeletConnections } from '../../kubelet/kubelet-connections.ts';
import type { ClaimGuard, NamespaceLabels, RoleGuard, SignerGuard } from './guards.ts';
import type { PodHolder } from './pod-holder.ts';
import type { TokenIssuing } from './token-issuing.ts';
import type { RuleSettings } from '../../gates/rule-settings.ts';
import type { ExpressionCompilers } from '../../validation/expressions.ts';

/** What strategies are given to work with; each takes its part. */
export interface StrategyParts
  extends RuleSettings, ServiceAllocators, RoleGuard, NamespaceLabels, ClaimGuard, SignerGuard {
  readonly expressions: ExpressionCompilers;
  /** `--event-ttl`, whole seconds. */
  readonly eventTtlSeconds: number;
}

/** What subresources, and resources that are not stored, are given to work with. */
export interface RestParts extends RuleSettings {
  readonly core: CoreContext;
  readonly kubelets: KubeletConnections;
  /** Throws 403 unless the user may also do this with what the request names. */
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
 * Everything that a built-in resource is beyond its facts. What is not named is as usual: PUT creates nothing and needs
 * no resourceVersion, there is no generation, a write of the object leaves the status alone and one of the status the
 * spec.
 */
export interface BuiltInResource {
  readonly group: string;
  readonly resource: string;
  readonly strategy?: Strategy | ((parts: StrategyParts) => Strategy);
  /** How its objects are shown as rows of a Table; default: name and time of creation. */
  readonly rows?: KindRows;
  readonly writes?: WriteRules;
  /** Fields that wait for features; those below `status` count in writes of the status. */
  readonly gatedFields?: readonly GatedFields[];
  /** The strategy counts changes itself, as the reference before it takes away what is disabled. */
  readonly countsAsSent?: true;
  /** Where it holds a pod or a template of pods. */
  readonly podHolder?: PodHolder;
  /** By name; `status` needs no entry. */
  readonly subresources?: (parts: RestParts) => Readonly<Record<string, SubresourceDefinition>>;
  /** By served version, where its shape is not that of the storage version. */
  readonly conversions?: Readonly<Record<string, Conversion>>;
  /** How a resource that is not stored is created and read. */
  readonly creator?: (parts: RestParts) => Creator;
  readonly reader?: (parts: RestParts) => ResourceReader;
}

/** Returns the resource itself, checked by the compiler where it is written. */
export function defineBuiltIn(resource: BuiltInResource): BuiltInResource {
  return resource;
}
