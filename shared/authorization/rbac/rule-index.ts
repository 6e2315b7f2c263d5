import type { AuthorizerAttributes } from '#shared/authorization/contract/authorizer.ts';
import { ruleAllows, type PolicyRule } from './policy-rule.ts';
import type { Grant } from './rbac-policy.ts';

/** A rule with its place among the rules of all grants: the first rule that allows a request gives the reason. */
interface PlacedRule {
  readonly place: number;
  readonly rule: PolicyRule;
  readonly grant: Grant;
}

/**
 * Many rules of one user. Rules that name objects are found by the name of the object, so that a user with thousands of
 * them does not pay for all of them with each request.
 */
export class RuleIndex {
  readonly #ofAnyObject: PlacedRule[] = [];
  readonly #ofNamedObject = new Map<string, PlacedRule[]>();
  readonly #ofPaths: PlacedRule[] = [];

  constructor(grants: readonly Grant[]) {
    let place = 0;
    for (const grant of grants) for (const rule of grant.rules) this.#add({ place: place++, rule, grant });
  }

  #add(placed: PlacedRule): void {
    const { resources, resourceNames, nonResourceURLs } = placed.rule;
    if (nonResourceURLs.length > 0) this.#ofPaths.push(placed);
    if (resources.length === 0) return;
    if (resourceNames.length === 0) this.#ofAnyObject.push(placed);
    for (const name of new Set(resourceNames)) {
      const named = this.#ofNamedObject.get(name);
      if (named === undefined) this.#ofNamedObject.set(name, [placed]);
      else named.push(placed);
    }
  }

  /** The grant with the first rule that allows the request. */
  firstThatAllows(attributes: AuthorizerAttributes): Grant | undefined {
    if (!attributes.resourceRequest) return firstOf(this.#ofPaths, attributes)?.grant;
    const any = firstOf(this.#ofAnyObject, attributes);
    const named = firstOf(this.#ofNamedObject.get(attributes.name) ?? none, attributes);
    if (any === undefined || named === undefined) return (any ?? named)?.grant;
    return (any.place < named.place ? any : named).grant;
  }
}

const none: readonly PlacedRule[] = [];

function firstOf(placed: readonly PlacedRule[], attributes: AuthorizerAttributes): PlacedRule | undefined {
  return placed.find(({ rule }) => ruleAllows(rule, attributes));
}
