import { aggregateMessages } from '#shared/apimachinery/errors/field-error.ts';
import { mastersGroup } from '#shared/authentication/contract/authenticator.ts';
import type { UserInfo } from '#shared/request/user.ts';
import type {
  Authorization,
  Authorizer,
  AuthorizerAttributes,
  ResolvedRules,
  RuleResolver,
} from './contract/authorizer.ts';

/**
 * Calls the authorizers in order; the first allow or deny decides. The reasons of authorizers without an opinion are
 * joined by line breaks.
 */
export function unionAuthorizer(authorizers: readonly Authorizer[]): Authorizer {
  const askFrom = (
    attributes: AuthorizerAttributes,
    start: number,
    before: readonly Authorization[],
  ): Authorization | Promise<Authorization> => {
    let asked = before;
    for (let at = start; at < authorizers.length; at++) {
      const answer = authorizers[at]?.authorize(attributes);
      if (answer instanceof Promise)
        return answer.then((found) =>
          found.decision === 'noOpinion' ? askFrom(attributes, at + 1, [...asked, found]) : found,
        );
      if (answer === undefined) continue;
      if (answer.decision !== 'noOpinion') return answer;
      if (authorizers.length === 1) return answer;
      asked = [...asked, answer];
    }
    return joined(asked);
  };
  return { authorize: (attributes) => askFrom(attributes, 0, []) };
}

function joined(answers: readonly Authorization[]): Authorization {
  const reasons = answers.map((answer) => answer.reason).filter((reason) => reason !== '');
  const errors = answers.flatMap((answer) => answer.error ?? []);
  return {
    decision: 'noOpinion',
    reason: reasons.join('\n'),
    ...(errors.length === 0 ? {} : { error: aggregateMessages(errors) }),
  };
}

/** The rules of all authorizers that can list them; marked incomplete if one cannot. */
export function unionRuleResolver(resolvers: readonly RuleResolver[]): RuleResolver {
  return {
    async rulesFor(user, namespace) {
      const parts = await Promise.all(resolvers.map(async (resolver) => await resolver.rulesFor(user, namespace)));
      return {
        resourceRules: parts.flatMap((part) => part.resourceRules),
        nonResourceRules: parts.flatMap((part) => part.nonResourceRules),
        incomplete: parts.some((part) => part.incomplete),
        evaluationError: aggregateMessages(parts.map((part) => part.evaluationError).filter((text) => text !== '')),
      };
    },
  };
}

const allowed: Authorization = Object.freeze({ decision: 'allow', reason: '' });
const noOpinion: Authorization = Object.freeze({ decision: 'noOpinion', reason: '' });

/** Allows system:masters everything, in every mode. */
export const mastersAuthorizer: Authorizer = {
  authorize: ({ user }) => (user.groups.includes(mastersGroup) ? allowed : noOpinion),
};

const all = { verbs: ['*'], apiGroups: ['*'], resources: ['*'], resourceNames: [] };

export const alwaysAllow: Authorizer & RuleResolver = {
  authorize: () => allowed,
  rulesFor: (): ResolvedRules => ({
    resourceRules: [all],
    nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
    incomplete: false,
    evaluationError: '',
  }),
};

export const alwaysDeny: Authorizer & RuleResolver = {
  authorize: () => ({ decision: 'noOpinion', reason: 'Everything is forbidden.' }),
  rulesFor: (_user: UserInfo): ResolvedRules => ({
    resourceRules: [],
    nonResourceRules: [],
    incomplete: false,
    evaluationError: '',
  }),
};
