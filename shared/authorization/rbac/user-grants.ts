import { aggregateMessages } from '#shared/apimachinery/errors/field-error.ts';
import type { Authorization, AuthorizerAttributes, ResolvedRules } from '#shared/authorization/contract/authorizer.ts';
import { ruleAllows } from './policy-rule.ts';
import { describeGrant, type Grant } from './rbac-policy.ts';
import { RuleIndex } from './rule-index.ts';

/** With more rules than this, an index of them is worth its memory. */
const manyRules = 32;

/** What a user may do in one namespace. */
export class UserGrants {
  readonly #grants: readonly Grant[];
  readonly #errors: string;
  readonly #index: RuleIndex | undefined;
  #resolved: ResolvedRules | undefined;

  constructor(grants: readonly Grant[]) {
    this.#grants = grants;
    this.#errors = aggregateMessages(grants.flatMap(({ error }) => (error === '' ? [] : [error])));
    let rules = 0;
    for (const grant of grants) rules += grant.rules.length;
    if (rules > manyRules) this.#index = new RuleIndex(grants);
  }

  decide(attributes: AuthorizerAttributes): Authorization {
    const allowing =
      this.#index === undefined
        ? this.#grants.find(({ rules }) => rules.some((rule) => ruleAllows(rule, attributes)))
        : this.#index.firstThatAllows(attributes);
    if (allowing !== undefined) return { decision: 'allow', reason: `RBAC: allowed by ${describeGrant(allowing)}` };
    return { decision: 'noOpinion', reason: this.#errors === '' ? '' : `RBAC: ${this.#errors}` };
  }

  /** All rules, in the order of the grants. */
  resolved(): ResolvedRules {
    if (this.#resolved !== undefined) return this.#resolved;
    const rules = this.#grants.flatMap((grant) => grant.rules);
    this.#resolved = {
      resourceRules: rules.filter(({ resources }) => resources.length > 0),
      nonResourceRules: rules.filter(({ nonResourceURLs }) => nonResourceURLs.length > 0),
      incomplete: false,
      evaluationError: this.#errors,
    };
    return this.#resolved;
  }
}
