import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import type { Random } from '#test/conformance/random-rules/random.ts';
import { randomCondition, rootsOf } from './policy-expressions.ts';
import { randomRules, randomSelectors, type Place } from './random-match.ts';
import { failurePolicy, type PolicyType } from './random-policy.ts';

function words(text: string): string[] {
  return text.trim().split(/\s+/);
}

/** What a webhook does, as the server of webhooks names it. */
const validatingBehaviours: readonly string[] = words(`
  allow deny deny-status deny-reason deny-200 warn annotate no-response other-uid no-kind bad-json text empty 500 404
  reset patch-type-only by-review by-review`);
const mutatingBehaviours: readonly string[] = [
  ...validatingBehaviours,
  ...words(`
    label label-again count patch-data patch-image patch-replicas patch-missing patch-test patch-odd-op patch-no-list
    patch-no-json patch-none patch-null patch-unknown-field patch-type patch-kind patch-no-kind patch-version
    patch-invalid patch-managers patch-no-type patch-other-type label label-again count patch-data patch-replicas`),
];
/** Those whose order among others does not show. */
const broadBehaviours: readonly string[] = ['allow', 'warn', 'annotate'];

export interface WebhookAddress {
  readonly url: (behaviour: string, name: string) => string;
  readonly caBundle: string;
}

/** A webhook whose client configuration is filled in for each server. */
export interface RandomWebhook {
  readonly name: string;
  readonly does: string;
  readonly spec: JsonObject;
}

export function randomWebhook(random: Random, type: PolicyType, place: Place, name: string): RandomWebhook {
  const isBroad = place.slot === '';
  const does = isBroad
    ? random.pick(broadBehaviours)
    : random.oneOf(60)
      ? random.pick(['slow', 'hang', '10mb'])
      : random.pick(type === 'Validating' ? validatingBehaviours : mutatingBehaviours);
  const conditions = random.oneOf(3) ? 1 + random.below(2) : 0;
  const spec: JsonObject = {
    rules: randomRules(random, place.target, ['CREATE', 'UPDATE', 'DELETE', 'CONNECT']),
    ...randomSelectors(random, place),
    sideEffects: random.pick(['None', 'None', 'NoneOnDryRun']),
    // A busy machine is not to be taken for a webhook that hangs.
    timeoutSeconds: does === 'hang' ? 1 : random.pick([10, 20, 30]),
    ...failurePolicy(random, isBroad),
    admissionReviewVersions: [...random.pick([['v1'], ['v1beta1', 'v1'], ['v9', 'v1beta1'], ['v1', 'v1beta1']])],
    ...(type === 'Mutating' && random.oneOf(2) ? { reinvocationPolicy: random.pick(['Never', 'IfNeeded']) } : {}),
    ...(conditions > 0
      ? {
          matchConditions: Array.from({ length: conditions }, (_, at) => ({
            name: `c${at}`,
            expression: randomCondition(random, rootsOf(random, place.target, {})),
          })),
        }
      : {}),
  };
  return { name, does, spec };
}

/** A webhook as a configuration holds it, at the address that one of the two servers calls. */
export function addressed({ name, does, spec }: RandomWebhook, { url, caBundle }: WebhookAddress): JsonObject {
  return { name, clientConfig: { url: url(does, name), caBundle }, ...spec };
}
