import type { Authorization, Authorizer } from '#shared/authorization/contract/authorizer.ts';
import type { DecisionCount } from './authorization-metrics.ts';

/** An authorizer that counts its final decisions. */
export function countDecisions(authorizer: Authorizer, count: DecisionCount): Authorizer {
  const counted = (answer: Authorization): Authorization => {
    if (answer.decision === 'allow') count.allowed++;
    else if (answer.decision === 'deny') count.denied++;
    return answer;
  };
  return {
    authorize(attributes) {
      const answer = authorizer.authorize(attributes);
      return answer instanceof Promise ? answer.then(counted) : counted(answer);
    },
  };
}
