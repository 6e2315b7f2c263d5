import {
  forbidden,
  invalid,
  notSupported,
  required,
  type FieldError,
  type Path,
} from '#shared/apimachinery/errors/field-error.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt, stringAt, stringsAt } from '#shared/apimachinery/object.ts';
import { isDNS1035Label } from '#shared/apimachinery/validation/names.ts';
import { repetitions } from '#shared/apimachinery/validation/repetitions.ts';
import { validateWebhookClient } from '#shared/apimachinery/validation/webhook-client-validation.ts';

const known = ['v1', 'v1beta1'];

/** Validates `spec.conversion`. Every webhook is refused: this server does not call conversion webhooks yet. */
export function validateConversion(conversion: JsonObject | undefined, at: Path): FieldError[] {
  if (conversion === undefined) return [];
  const strategy = stringAt(conversion, 'strategy');
  const webhook = objectAt(conversion, 'webhook');
  const versions = stringsAt(webhook, 'conversionReviewVersions');
  const client = objectAt(webhook, 'clientConfig');
  const errors: FieldError[] = [];
  if (strategy === '') errors.push(required(at.child('strategy'), ''));
  else if (strategy !== 'None' && strategy !== 'Webhook')
    errors.push(notSupported(at.child('strategy'), strategy, ['None', 'Webhook']));
  if (strategy !== 'Webhook') {
    const detail = 'should not be set when strategy is not set to Webhook';
    if (client !== undefined) errors.push(forbidden(at.child('webhookClientConfig'), detail));
    if (versions.length > 0) errors.push(forbidden(at.child('conversionReviewVersions'), detail));
    return errors;
  }
  if (client === undefined)
    errors.push(required(at.child('webhookClientConfig'), 'required when strategy is set to Webhook'));
  else errors.push(...validateWebhookClient(client, at.child('webhookClientConfig')));
  errors.push(...validateReviewVersions(versions, at.child('conversionReviewVersions')));
  if (errors.length === 0)
    errors.push(
      forbidden(at.child('strategy'), 'conversion by webhooks is not supported by this server yet; use None'),
    );
  return errors;
}

function validateReviewVersions(versions: readonly string[], at: Path): FieldError[] {
  if (versions.length === 0) return [required(at, '')];
  const repeated = repetitions(versions);
  const errors = versions.flatMap((version, index) => {
    if (repeated[index] === true) return [invalid(at.index(index), version, 'duplicate version')];
    return isDNS1035Label(version).map((message) => invalid(at.index(index), version, message));
  });
  if (!versions.some((version) => known.includes(version)))
    errors.push(invalid(at, [...versions], `must include at least one of ${known.join(', ')}`));
  return errors;
}
