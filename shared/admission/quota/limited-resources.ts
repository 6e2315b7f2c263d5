import type { LimitedResource } from '#shared/admission/configuration/quota-configuration.ts';
import type { AdmissionAttributes } from '#shared/admission/contract/admission.ts';
import { refuseAdmission } from '#shared/admission/contract/refusal.ts';
import { plainFailure } from '#shared/apimachinery/errors/status.ts';
import { stringAt, stringsAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { compareUtf8 } from '#shared/apimachinery/text/go-format.ts';
import { quantitySign } from '#shared/apimachinery/values/quantity.ts';
import type { Amounts } from '#shared/objects/pod-resources.ts';
import type { QuotaEvaluator } from './quota-evaluator.ts';
import type { QuotaUsage } from './quota-usage.ts';
import { scopeRequirements } from './scope-requirement.ts';

/** What a request uses, and the quotas that may cover it. */
interface Request {
  readonly attributes: AdmissionAttributes;
  readonly object: KubeObject;
  readonly usage: Amounts;
  readonly evaluator: QuotaEvaluator;
  /** All quotas of the namespace. */
  readonly quotas: readonly QuotaUsage[];
  /** Those that apply to the object. */
  readonly concerned: ReadonlySet<QuotaUsage>;
}

/**
 * Refuses what the configuration limits and no quota covers: amounts that none of the quotas of the object names, and
 * scopes of the object that no quota names.
 */
export function refuseUncovered(limited: readonly LimitedResource[], request: Request): void {
  const { attributes, evaluator, quotas, concerned, object } = request;
  const covered = new Set([...concerned].flatMap((quota) => evaluator.matchingResources([...quota.hard.keys()])));
  const uncovered = limitedNames(limited, request).filter((name) => !covered.has(name));
  if (uncovered.length > 0)
    throw refuseAdmission(attributes, `insufficient quota to consume: ${uncovered.sort(compareUtf8).join(',')}`);
  const scopes = limited.flatMap(({ matchScopes }) =>
    matchScopes.filter((scope) => evaluator.matchesScope(scope, object)),
  );
  if (scopes.length === 0) return;
  const coveredScopes = new Set(
    quotas
      .flatMap((quota) => scopeRequirements(quota.object))
      .filter((requirement) => evaluator.matchesScope(requirement, object))
      .map((requirement) => stringAt(requirement, 'scopeName')),
  );
  const open = scopes.filter((scope) => !coveredScopes.has(stringAt(scope, 'scopeName')));
  if (open.length === 0) return;
  const shown = open.map(
    (scope) =>
      `{${stringAt(scope, 'scopeName')} ${stringAt(scope, 'operator')} [${stringsAt(scope, 'values').join(' ')}]}`,
  );
  throw plainFailure(`insufficient quota to match these scopes: [${shown.join(' ')}]`);
}

/** Names of the amounts that the object uses and that need a quota. */
function limitedNames(limited: readonly LimitedResource[], { attributes, usage }: Request): string[] {
  const { group, resource } = attributes.resource;
  const parts = limited
    .filter((rule) => rule.apiGroup === group && rule.resource === resource)
    .flatMap((rule) => rule.matchContains);
  return [...usage]
    .filter(([name, quantity]) => quantitySign(quantity) > 0 && parts.some((part) => name.includes(part)))
    .map(([name]) => name);
}
