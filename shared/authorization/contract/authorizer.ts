import type { FieldSelector } from '#shared/apimachinery/selectors/fields.ts';
import type { LabelRequirement } from '#shared/apimachinery/selectors/labels.ts';
import type { UserInfo } from '#shared/request/user.ts';

/** One question to an authorizer (apiserver/pkg/authorization/authorizer Attributes). */
export interface AuthorizerAttributes {
  readonly user: UserInfo;
  readonly verb: string;
  readonly resourceRequest: boolean;
  readonly apiGroup: string;
  readonly apiVersion: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  /** Set only for requests that are for no resource. */
  readonly path: string;
  /** The field selector of a collection request: the question is about the selected objects only; undefined for all. */
  readonly fieldSelector?: FieldSelector | undefined;
  /** The same for labels, as the request has it, or parsed; empty for all. */
  readonly labelSelector?: string | readonly LabelRequirement[] | undefined;
  /** Calls back once nobody waits for the decision any more. */
  readonly onEnd?: ((listener: () => void) => void) | undefined;
}

type Decision = 'allow' | 'deny' | 'noOpinion';

export interface Authorization {
  readonly decision: Decision;
  /** For the audit log, reviews and (where not allowed) the message of the 403. */
  readonly reason: string;
  /** The error of a part that could not be evaluated; the decision is valid nevertheless. */
  readonly error?: string;
}

/** Answers synchronously if it can. */
export interface Authorizer {
  authorize(attributes: AuthorizerAttributes): Authorization | Promise<Authorization>;
}

interface ResourceRule {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames: readonly string[];
}

interface NonResourceRule {
  readonly verbs: readonly string[];
  readonly nonResourceURLs: readonly string[];
}

/** What a user may do in a namespace, as far as an authorizer can list it. */
export interface ResolvedRules {
  readonly resourceRules: readonly ResourceRule[];
  readonly nonResourceRules: readonly NonResourceRule[];
  readonly incomplete: boolean;
  readonly evaluationError: string;
}

export interface RuleResolver {
  rulesFor(user: UserInfo, namespace: string): ResolvedRules | Promise<ResolvedRules>;
}
