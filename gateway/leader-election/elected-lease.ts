import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { stringAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { holderOf, isLeaseExpired, leaseApiVersion } from './lease.ts';
import { microTime } from './micro-time.ts';

const durationSeconds = 5;

/** The outcome of an election, as it is written into the lease. */
export interface Elected {
  readonly strategy: string;
  /** Undefined if another controller chooses the holder. */
  readonly holder: string | undefined;
}

/** The lease after its first election. `now` in microseconds since 1970. */
export function newLease(namespace: string, name: string, { strategy, holder }: Elected, now: number): KubeObject {
  return {
    apiVersion: leaseApiVersion,
    kind: 'Lease',
    metadata: { namespace, name },
    spec: {
      ...(holder === undefined ? {} : { holderIdentity: holder }),
      leaseDurationSeconds: durationSeconds,
      renewTime: microTime(now),
      strategy,
    },
  };
}

/**
 * The members of the lease's spec that an election changes, as a merge patch; undefined if there are none. A holder
 * that still renews its lease is asked to give it up, by `preferredHolder`.
 */
export function changedSpec(spec: JsonObject, { strategy, holder }: Elected, now: number): JsonObject | undefined {
  const known = stringAt(spec, 'strategy') === strategy ? {} : { strategy };
  const current = holderOf(spec);
  if (holder !== undefined && current !== holder) {
    if (current !== '' && !isLeaseExpired(spec, now))
      return stringAt(spec, 'preferredHolder') === holder && Object.keys(known).length === 0
        ? undefined
        : { ...known, preferredHolder: holder };
    return {
      ...known,
      preferredHolder: null,
      holderIdentity: holder,
      renewTime: microTime(now),
      leaseDurationSeconds: durationSeconds,
      acquireTime: null,
    };
  }
  return Object.keys(known).length === 0 ? undefined : known;
}
