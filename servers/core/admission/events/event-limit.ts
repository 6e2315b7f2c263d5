import type { EventLimitRule } from '#shared/admission/configuration/event-rate-limit-configuration.ts';
import type { AdmissionAttributes } from '#shared/admission/contract/admission.ts';
import { stringAt } from '#shared/apimachinery/object.ts';
import { TokenBucket } from '#shared/apimachinery/values/token-bucket.ts';
import { shortKey } from '#shared/caches/short-key.ts';

const defaultCacheSize = 4096;

/** What shares a bucket. */
interface EventKey {
  /** Different for different keys. */
  readonly key: string;
  /** As the refusal shows it. */
  readonly shown: string;
}

/** The buckets of one limit; those that were not used for longest are forgotten, and start anew with a full bucket. */
export class EventLimit {
  readonly #limit: EventLimitRule;
  readonly #maxBuckets: number;
  /** By key, the one that was used last at the end. */
  readonly #buckets = new Map<string, TokenBucket>();

  constructor(limit: EventLimitRule) {
    this.#limit = limit;
    this.#maxBuckets = limit.cacheSize === 0 ? defaultCacheSize : limit.cacheSize;
  }

  /** Takes a token for the request; the reason if there is none. */
  refusalOf(attributes: AdmissionAttributes, now: number): string | undefined {
    const { type } = this.#limit;
    const { key, shown } = keyOf(type, attributes);
    return this.#bucket(shortKey(key), now).take(now) ? undefined : `limit reached on type ${type} for key ${shown}`;
  }

  #bucket(key: string, now: number): TokenBucket {
    const { qps, burst } = this.#limit;
    const bucket = this.#buckets.get(key) ?? new TokenBucket(burst, qps, now);
    this.#buckets.delete(key);
    this.#buckets.set(key, bucket);
    if (this.#buckets.size > this.#maxBuckets) {
      const [oldest] = this.#buckets.keys();
      if (oldest !== undefined) this.#buckets.delete(oldest);
    }
    return bucket;
  }
}

function keyOf(type: EventLimitRule['type'], { namespace, user, object }: AdmissionAttributes): EventKey {
  switch (type) {
    case 'Server':
      return { key: '', shown: '' };
    case 'Namespace':
      return { key: namespace, shown: namespace };
    case 'User':
      return { key: user.name, shown: user.name };
    case 'SourceAndObject': {
      const parts = [
        ...['component', 'host'].map((name) => stringAt(object, 'source', name)),
        ...['kind', 'namespace', 'name', 'uid', 'apiVersion'].map((name) => stringAt(object, 'involvedObject', name)),
      ];
      return { key: JSON.stringify(parts), shown: parts.join('') };
    }
  }
}
