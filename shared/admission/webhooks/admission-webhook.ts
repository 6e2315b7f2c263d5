import type { AdmissionOperation } from '#shared/admission/contract/admission.ts';
import type { ConditionHook, FailurePolicy } from '#shared/admission/expressions/match-conditions.ts';
import { webhookCriteria, type MatchCriteria } from '#shared/admission/matching/match-criteria.ts';
import { mayMatch } from '#shared/admission/matching/match-rule.ts';
import type { GroupResource } from '#shared/apimachinery/gvk.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { numberAt, objectAt, objectsAt, stringAt, stringsAt, type KubeObject } from '#shared/apimachinery/object.ts';
import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import type { WebhookConditions } from './webhook-conditions.ts';

/** One webhook of a configuration, compiled. */
export interface AdmissionWebhook {
  /** Its identity among all webhooks: names need not be unique in a configuration. */
  readonly uid: string;
  readonly configuration: string;
  readonly name: string;
  readonly clientConfig: JsonObject;
  readonly criteria: MatchCriteria;
  readonly conditions: WebhookConditions | undefined;
  readonly failurePolicy: FailurePolicy;
  readonly sideEffects: string;
  readonly timeoutMs: number;
  readonly reviewVersions: readonly string[];
  /** `reinvocationPolicy: IfNeeded`. */
  readonly isReinvoked: boolean;
}

/** Whether a webhook of the configuration has match conditions. */
export function hasConditions(configuration: KubeObject): boolean {
  return objectsAt(configuration, 'webhooks').some((webhook) => objectsAt(webhook, 'matchConditions').length > 0);
}

const defaultTimeoutSeconds = 10;

/**
 * Compiles the webhooks of a Mutating- or ValidatingWebhookConfiguration, which has been validated and defaulted.
 * @param origin sets the uids of webhooks of several origins apart
 */
export function* compileConfiguration(
  configuration: KubeObject,
  compile: (
    conditions: readonly JsonObject[],
    webhook: Omit<ConditionHook, 'kind' | 'type'>,
  ) => Steps<WebhookConditions | undefined>,
  origin = '',
): Steps<readonly AdmissionWebhook[]> {
  const configurationName = configuration.metadata.name ?? '';
  const repeats = new Map<string, number>();
  const webhooks: AdmissionWebhook[] = [];
  for (const webhook of objectsAt(configuration, 'webhooks')) {
    const name = stringAt(webhook, 'name');
    const before = repeats.get(name) ?? 0;
    repeats.set(name, before + 1);
    const failurePolicy: FailurePolicy = stringAt(webhook, 'failurePolicy') === 'Ignore' ? 'Ignore' : 'Fail';
    webhooks.push({
      uid: `${origin}${configurationName}/${name}/${before}`,
      configuration: configurationName,
      name,
      clientConfig: objectAt(webhook, 'clientConfig') ?? {},
      criteria: webhookCriteria(webhook),
      conditions: yield* compile(objectsAt(webhook, 'matchConditions'), { name, failurePolicy }),
      failurePolicy,
      sideEffects: stringAt(webhook, 'sideEffects'),
      timeoutMs: (numberAt(webhook, 'timeoutSeconds') ?? defaultTimeoutSeconds) * 1000,
      reviewVersions: stringsAt(webhook, 'admissionReviewVersions'),
      isReinvoked: stringAt(webhook, 'reinvocationPolicy') === 'IfNeeded',
    });
    yield;
  }
  return webhooks;
}

/** Whether a webhook may want some request for the resource or its subresources. */
export function mayWant(webhook: AdmissionWebhook, operation: AdmissionOperation, resource: GroupResource): boolean {
  return webhook.criteria.rules?.some((rule) => mayMatch(rule, operation, resource)) ?? false;
}
