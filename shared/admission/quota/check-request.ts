import type { LimitedResource } from '#shared/admission/configuration/quota-configuration.ts';
import type { AdmissionAttributes } from '#shared/admission/contract/admission.ts';
import { refuseAdmission } from '#shared/admission/contract/refusal.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import { compareUtf8 } from '#shared/apimachinery/text/go-format.ts';
import { compareQuantities, isZeroQuantity, quantityOf, quantitySign } from '#shared/apimachinery/values/quantity.ts';
import type { Amounts } from '#shared/objects/pod-resources.ts';
import { refuseUncovered } from './limited-resources.ts';
import type { QuotaEvaluator } from './quota-evaluator.ts';
import { increase, pick, printAmounts, sumOf, type QuotaUsage } from './quota-usage.ts';
import { scopeRequirements } from './scope-requirement.ts';

/**
 * The quotas after the request has been charged to those that apply to it (apiserver/pkg/admission/plugin/resourcequota
 * CheckRequest). Throws the 403 if a quota is exceeded, if its usage is not known yet, if the object does not specify a
 * resource that the quota limits, or if no quota covers what the configuration limits.
 */
export function checkRequest(
  quotas: readonly QuotaUsage[],
  attributes: AdmissionAttributes,
  evaluator: QuotaEvaluator,
  limited: readonly LimitedResource[] = [],
): readonly QuotaUsage[] {
  const { object } = attributes;
  if (object === undefined || !evaluator.handles(attributes)) return quotas;
  const concerned = new Set(quotas.filter((quota) => concerns(quota, attributes, object, evaluator)));
  if (concerned.size === 0 && limited.length === 0) return quotas;
  const usage = evaluator.usage(object);
  const negative = [...pick(usage, (_name, quantity) => quantitySign(quantity) < 0).keys()];
  if (negative.length > 0)
    throw refuseAdmission(
      attributes,
      `quota usage is negative for resource(s): ${negative.sort(compareUtf8).join(',')}`,
    );
  const deltas = new Map(
    [...concerned].map((quota) => [quota, deltaFor(quota, attributes, usage, evaluator)] as const),
  );
  if (limited.length > 0) {
    const changes = concerned.size === 0 ? [deltaOf(attributes, usage, evaluator)] : [...deltas.values()];
    if (changes.every((delta) => delta.size === 0)) return quotas;
    refuseUncovered(limited, { attributes, object, usage, evaluator, quotas, concerned });
  }
  return quotas.map((quota) => {
    const delta = deltas.get(quota);
    return delta === undefined ? quota : charge(quota, attributes, delta);
  });
}

function concerns(
  quota: QuotaUsage,
  attributes: AdmissionAttributes,
  object: KubeObject,
  evaluator: QuotaEvaluator,
): boolean {
  if (!matches(quota, object, evaluator)) return false;
  const name = quota.object.metadata.name ?? '';
  const restricted = evaluator.matchingResources([...quota.hard.keys()]);
  const missing = evaluator.missing(restricted, object);
  if (missing !== undefined) throw refuseAdmission(attributes, `failed quota: ${name}: ${missing}`);
  if (restricted.some((resource) => !quota.used.has(resource))) {
    throw refuseAdmission(
      attributes,
      `status unknown for quota: ${name}, resources: ${restricted.sort(compareUtf8).join(',')}`,
    );
  }
  return true;
}

function matches(quota: QuotaUsage, object: KubeObject, evaluator: QuotaEvaluator): boolean {
  if (evaluator.matchingResources([...quota.hard.keys()]).length === 0) return false;
  return scopeRequirements(quota.object).every((requirement) => evaluator.matchesScope(requirement, object));
}

/** An update is charged with the difference, unless this quota did not apply to the old object. */
function deltaFor(
  quota: QuotaUsage,
  attributes: AdmissionAttributes,
  usage: Amounts,
  evaluator: QuotaEvaluator,
): Amounts {
  const { oldObject } = attributes;
  return oldObject !== undefined && matches(quota, oldObject, evaluator)
    ? deltaOf(attributes, usage, evaluator)
    : withoutZeros(usage);
}

/** What a request adds: all that the object uses, or the difference to the old object. */
function deltaOf({ operation, oldObject }: AdmissionAttributes, usage: Amounts, evaluator: QuotaEvaluator): Amounts {
  return withoutZeros(
    operation === 'UPDATE' && oldObject !== undefined ? increase(usage, evaluator.usage(oldObject)) : usage,
  );
}

function withoutZeros(amounts: Amounts): Amounts {
  return pick(amounts, (_name, quantity) => !isZeroQuantity(quantity));
}

function charge(quota: QuotaUsage, attributes: AdmissionAttributes, delta: Amounts): QuotaUsage {
  const requested = pick(delta, (name) => quota.hard.has(name));
  if (requested.size === 0) return quota;
  const used = sumOf(quota.used, requested);
  if (attributes.subresource !== 'status') {
    const exceeded = pick(
      requested,
      (name) => compareQuantities(used.get(name) ?? quantityOf(0), quota.hard.get(name) ?? quantityOf(0)) > 0,
    );
    if (exceeded.size > 0) {
      const within = (amounts: Amounts): string => printAmounts(pick(amounts, (name) => exceeded.has(name)));
      throw refuseAdmission(
        attributes,
        `exceeded quota: ${quota.object.metadata.name ?? ''}, requested: ${within(requested)}, used: ${within(quota.used)}, limited: ${within(quota.hard)}`,
      );
    }
  }
  return { ...quota, used };
}
