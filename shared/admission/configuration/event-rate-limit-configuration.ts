import {
  aggregateText,
  invalid,
  notSupported,
  path,
  type FieldError,
} from '#shared/apimachinery/errors/field-error.ts';
import { numberAt, objectsAt, stringAt } from '#shared/apimachinery/object.ts';
import type { ConfigurationScheme } from '#shared/configuration/configuration-scheme.ts';
import { ConfigurationError, decodeConfiguration } from '#shared/configuration/decode-configuration.ts';

/** What shares one bucket of tokens: all events, those of a namespace, of a user, or of a source and an object. */
const limitTypes = ['Namespace', 'Server', 'SourceAndObject', 'User'] as const;
export type EventLimitType = (typeof limitTypes)[number];

export interface EventLimitRule {
  readonly type: EventLimitType;
  /** Events per second that a bucket gets back. */
  readonly qps: number;
  /** Events that a full bucket admits. */
  readonly burst: number;
  /** Number of buckets that are kept; 0: the default of 4,096. */
  readonly cacheSize: number;
}

const scheme: ConfigurationScheme = {
  isStrict: false,
  kinds: [{ apiVersion: 'eventratelimit.admission.k8s.io/v1alpha1', kind: 'Configuration', struct: 'Configuration' }],
  types: {
    Configuration: [['limits', 0, '[]#Limit', '']],
    Limit: [
      ['type', 0, 'string', ''],
      ['qps', 0, 'int32', '', { g: 'QPS' }],
      ['burst', 0, 'int32', ''],
      ['cacheSize', 0, 'int32', 'e'],
    ],
  },
};

/**
 * Reads the configuration of EventRateLimit, which needs one limit at least.
 * @throws ConfigurationError
 */
export function readEventRateLimits(bytes: Uint8Array | undefined): readonly EventLimitRule[] {
  const items = bytes === undefined ? [] : objectsAt(decodeConfiguration(scheme, bytes), 'limits');
  const errors: FieldError[] = items.length === 0 ? [invalid(path('limits'), null, 'must not be empty')] : [];
  const limits = items.flatMap((item, index): EventLimitRule[] => {
    const at = path('limits').index(index);
    const [typeText, qps, burst] = [stringAt(item, 'type'), numberAt(item, 'qps') ?? 0, numberAt(item, 'burst') ?? 0];
    const cacheSize = numberAt(item, 'cacheSize') ?? 0;
    const type = limitTypes.find((known) => known === typeText);
    if (type === undefined) errors.push(notSupported(at.child('type'), typeText, limitTypes));
    if (burst <= 0) errors.push(invalid(at.child('burst'), burst, 'must be positive'));
    if (qps <= 0) errors.push(invalid(at.child('qps'), qps, 'must be positive'));
    if (type !== 'Server' && cacheSize < 0)
      errors.push(invalid(at.child('cacheSize'), cacheSize, 'must not be negative'));
    return type === undefined ? [] : [{ type, qps, burst, cacheSize }];
  });
  if (errors.length > 0) throw new ConfigurationError(aggregateText(errors));
  return limits;
}
