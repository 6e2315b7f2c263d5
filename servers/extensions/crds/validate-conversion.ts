import { Buffer } from 'node:buffer';
import {
  forbidden,
  invalid,
  notSupported,
  required,
  VerbatimValue,
  type FieldError,
  type Path,
} from '#shared/apimachinery/errors/field-error.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt, stringAt, stringsAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { isDNS1035Label } from '#shared/apimachinery/validation/names.ts';
import { repetitions } from '#shared/apimachinery/validation/repetitions.ts';
import { validateWebhookClient } from '#shared/apimachinery/validation/webhook-client-validation.ts';
import { caBundleError } from '#shared/webhooks/ca-bundle.ts';
import { conditionIs } from './conditions.ts';

const known = ['v1', 'v1beta1'];

/** What an existing definition has, and may keep although it is no longer accepted in a new one. */
export interface KeptConversion {
  /** Whether the CA bundle may be unusable. */
  readonly anyCABundle: boolean;
  /** Whether the webhook need not know a version of reviews that this server knows. */
  readonly anyReviewVersions: boolean;
}

/** What a definition may keep. A CA bundle is checked before a new definition is established. */
export function keptConversion(old: KubeObject | undefined): KeptConversion {
  if (old === undefined) return { anyCABundle: true, anyReviewVersions: false };
  const webhook = objectAt(old, 'spec', 'conversion', 'webhook');
  const versions = stringsAt(webhook, 'conversionReviewVersions');
  return {
    anyCABundle: !conditionIs(old, 'Established', 'True') || !hasUsableCABundle(webhook),
    anyReviewVersions: versions.length > 0 && !versions.some((version) => known.includes(version)),
  };
}

/** Whether the CA bundle of `spec.conversion.webhook` can be used, if there is one. */
export function hasUsableCABundle(webhook: JsonObject | undefined): boolean {
  const caBundle = stringAt(webhook, 'clientConfig', 'caBundle');
  return caBundle === '' || caBundleError(caBundle) === undefined;
}

/** Validates `spec.conversion`. */
export function validateConversion(conversion: JsonObject | undefined, at: Path, kept: KeptConversion): FieldError[] {
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
  else errors.push(...validateClient(client, at.child('webhookClientConfig'), kept));
  errors.push(...validateReviewVersions(versions, at.child('conversionReviewVersions'), kept));
  return errors;
}

function validateClient(client: JsonObject, at: Path, { anyCABundle }: KeptConversion): FieldError[] {
  const caBundle = stringAt(client, 'caBundle');
  const unusable = caBundle === '' || anyCABundle ? undefined : caBundleError(caBundle);
  return [
    ...validateWebhookClient(client, at),
    ...(unusable === undefined ? [] : [invalid(at.child('caBundle'), bytesOf(caBundle), unusable)]),
  ];
}

/** Bytes as Go's `%#v` prints them. */
function bytesOf(base64: string): VerbatimValue {
  const bytes = [...Buffer.from(base64, 'base64')].map((byte) => `0x${byte.toString(16)}`);
  return new VerbatimValue(`[]byte{${bytes.join(', ')}}`);
}

function validateReviewVersions(
  versions: readonly string[],
  at: Path,
  { anyReviewVersions }: KeptConversion,
): FieldError[] {
  if (versions.length === 0) return [required(at, '')];
  const repeated = repetitions(versions);
  const errors = versions.flatMap((version, index) => {
    if (repeated[index] === true) return [invalid(at.index(index), version, 'duplicate version')];
    return isDNS1035Label(version).map((message) => invalid(at.index(index), version, message));
  });
  if (!anyReviewVersions && !versions.some((version) => known.includes(version)))
    errors.push(invalid(at, [...versions], `must include at least one of ${known.join(', ')}`));
  return errors;
}
