import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { numberAt, objectAt, stringAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { microsAt } from './micro-time.ts';

export const leaseApiVersion = 'coordination.k8s.io/v1';

/** Path of the Leases of a namespace, or of one. */
export function leasePath(namespace: string, name?: string): string {
  const all = `/apis/${leaseApiVersion}/namespaces/${encodeURIComponent(namespace)}/leases`;
  return name === undefined ? all : `${all}/${encodeURIComponent(name)}`;
}

export function leaseSpec(lease: KubeObject): JsonObject {
  return objectAt(lease, 'spec') ?? {};
}

/** The holder's identity; empty if nobody holds the lease. */
export function holderOf(spec: JsonObject): string {
  return stringAt(spec, 'holderIdentity');
}

/** Whether the holder has not renewed the lease in time. `now` in microseconds since 1970. */
export function isLeaseExpired(spec: JsonObject, now: number): boolean {
  const [renewed, seconds] = [microsAt(spec, 'renewTime'), numberAt(spec, 'leaseDurationSeconds')];
  return renewed === undefined || seconds === undefined || renewed + seconds * 1_000_000 < now;
}
