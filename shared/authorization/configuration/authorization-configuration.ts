import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { booleanAt, objectAt, objectsAt, stringAt } from '#shared/apimachinery/object.ts';
import { parseDuration } from '#shared/apimachinery/values/duration.ts';
import type { ConfigurationScheme } from '#shared/configuration/configuration-scheme.ts';
import { ConfigurationError, decodeConfiguration } from '#shared/configuration/decode-configuration.ts';
import { serverKinds } from '#shared/configuration/server-kinds.ts';

/** One authorizer of a chain. */
export interface AuthorizerConfiguration {
  readonly type: string;
  readonly name: string;
  /** Of type Webhook only. */
  readonly webhook?: AuthorizationWebhook;
}

/** Durations are nanoseconds. */
export interface AuthorizationWebhook {
  readonly authorizedTtl: bigint;
  readonly cacheAuthorizedRequests: boolean;
  readonly unauthorizedTtl: bigint;
  readonly cacheUnauthorizedRequests: boolean;
  /** Of one attempt. */
  readonly timeout: bigint;
  /** The version of the SubjectAccessReview that is sent. */
  readonly subjectAccessReviewVersion: string;
  readonly matchConditionSubjectAccessReviewVersion: string;
  /** What follows where the webhook cannot be asked: NoOpinion or Deny. */
  readonly failurePolicy: string;
  readonly connectionInfo: { readonly type: string; readonly kubeConfigFile?: string };
  /** Expressions, all of which must be true where the webhook is asked. */
  readonly matchConditions: readonly string[];
}

export interface AuthorizationConfiguration {
  readonly authorizers: readonly AuthorizerConfiguration[];
}

const kind = 'AuthorizationConfiguration';
const scheme: ConfigurationScheme = {
  isStrict: true,
  kinds: serverKinds(kind),
  expected: kind,
  types: {
    AuthorizationConfiguration: [['authorizers', 0, '[]#AuthorizerConfiguration', '']],
    AuthorizerConfiguration: [
      ['type', 0, 'string', ''],
      ['name', 0, 'string', ''],
      ['webhook', 0, '#WebhookConfiguration', 'p'],
    ],
    WebhookConfiguration: [
      ['authorizedTTL', 0, 'duration', ''],
      ['cacheAuthorizedRequests', 0, 'bool', 'pe'],
      ['unauthorizedTTL', 0, 'duration', ''],
      ['cacheUnauthorizedRequests', 0, 'bool', 'pe'],
      ['timeout', 0, 'duration', ''],
      ['subjectAccessReviewVersion', 0, 'string', ''],
      ['matchConditionSubjectAccessReviewVersion', 0, 'string', ''],
      ['failurePolicy', 0, 'string', ''],
      ['connectionInfo', 0, '#WebhookConnectionInfo', ''],
      ['matchConditions', 0, '[]#WebhookMatchCondition', ''],
    ],
    WebhookConnectionInfo: [
      ['type', 0, 'string', ''],
      ['kubeConfigFile', 0, 'string', 'p'],
    ],
    WebhookMatchCondition: [['expression', 0, 'string', '']],
  },
};

const second = 1_000_000_000n;
const defaultAuthorizedTtl = 300n * second;
const defaultUnauthorizedTtl = 30n * second;

/**
 * Decodes an AuthorizationConfiguration of any version (apiserver/pkg/apis/apiserver/load). An empty file is one
 * without authorizers.
 * @throws ConfigurationError
 */
export function decodeAuthorization(bytes: Uint8Array): AuthorizationConfiguration {
  if (bytes.length === 0) return { authorizers: [] };
  try {
    return { authorizers: objectsAt(decodeConfiguration(scheme, bytes), 'authorizers').map(authorizerOf) };
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    throw new ConfigurationError(`failed to load ${kind} from file: ${error.message}`);
  }
}

function authorizerOf(decoded: JsonObject): AuthorizerConfiguration {
  const webhook = objectAt(decoded, 'webhook');
  return {
    type: stringAt(decoded, 'type'),
    name: stringAt(decoded, 'name'),
    ...(webhook !== undefined && { webhook: webhookOf(webhook) }),
  };
}

function webhookOf(decoded: JsonObject): AuthorizationWebhook {
  const connection = objectAt(decoded, 'connectionInfo');
  const kubeConfigFile = connection?.['kubeConfigFile'];
  return {
    authorizedTtl: durationAt(decoded, 'authorizedTTL') || defaultAuthorizedTtl,
    cacheAuthorizedRequests: booleanAt(decoded, 'cacheAuthorizedRequests') ?? true,
    unauthorizedTtl: durationAt(decoded, 'unauthorizedTTL') || defaultUnauthorizedTtl,
    cacheUnauthorizedRequests: booleanAt(decoded, 'cacheUnauthorizedRequests') ?? true,
    timeout: durationAt(decoded, 'timeout'),
    subjectAccessReviewVersion: stringAt(decoded, 'subjectAccessReviewVersion'),
    matchConditionSubjectAccessReviewVersion: stringAt(decoded, 'matchConditionSubjectAccessReviewVersion'),
    failurePolicy: stringAt(decoded, 'failurePolicy'),
    connectionInfo: {
      type: stringAt(connection, 'type'),
      ...(typeof kubeConfigFile === 'string' && { kubeConfigFile }),
    },
    matchConditions: objectsAt(decoded, 'matchConditions').map((condition) => stringAt(condition, 'expression')),
  };
}

function durationAt(decoded: JsonObject, name: string): bigint {
  const text = stringAt(decoded, name);
  return text === '' ? 0n : parseDuration(text);
}
