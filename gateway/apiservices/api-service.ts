import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { getKey } from '#shared/apimachinery/json/json.ts';
import { objectAt, objectsAt } from '#shared/apimachinery/object.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import { timeFromMs } from '#shared/apimachinery/values/time.ts';
import type { ServiceReference } from '#shared/services/resolve-service.ts';

export const apiRegistrationGroup = 'apiregistration.k8s.io';

/** The fields of an APIService's spec that the gateway reads. */
export interface ApiServiceSpec {
  readonly group: string;
  readonly version: string;
  readonly groupPriorityMinimum: number;
  readonly versionPriority: number;
  /** Absent for a local APIService: one of our own servers serves the group version. */
  readonly service?: ServiceReference;
  /** PEM in base64. Empty: the certificate authorities of the system are trusted. */
  readonly caBundle: string;
  readonly insecureSkipTLSVerify: boolean;
}

/** The result of an availability check, as fields of the condition `Available`. */
export interface Availability {
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: string;
  readonly message: string;
}

export const locallyAvailable: Availability = {
  status: 'True',
  reason: 'Local',
  message: 'Local APIServices are always available',
};

/** Name of the APIService of a group version: `v1.apps`, or `v1.` for the core group. */
export function apiServiceName(group: string, version: string): string {
  return `${version}.${group}`;
}

export function apiServiceSpec(object: KubeObject): ApiServiceSpec {
  const spec = objectAt(object, 'spec') ?? {};
  const service = objectAt(spec, 'service');
  return {
    group: text(spec, 'group'),
    version: text(spec, 'version'),
    groupPriorityMinimum: number(spec, 'groupPriorityMinimum'),
    versionPriority: number(spec, 'versionPriority'),
    caBundle: text(spec, 'caBundle'),
    insecureSkipTLSVerify: getKey(spec, 'insecureSkipTLSVerify') === true,
    ...(service === undefined
      ? {}
      : {
          service: {
            namespace: text(service, 'namespace'),
            name: text(service, 'name'),
            port: number(service, 'port') || 443,
          },
        }),
  };
}

/** The condition `Available` of an object; undefined before the first availability check. */
export function availabilityOf(object: KubeObject): Availability | undefined {
  const condition = objectsAt(object, 'status', 'conditions').find(
    (candidate) => getKey(candidate, 'type') === 'Available',
  );
  if (condition === undefined) return undefined;
  const status = text(condition, 'status');
  return {
    status: status === 'True' || status === 'False' ? status : 'Unknown',
    reason: text(condition, 'reason'),
    message: text(condition, 'message'),
  };
}

export function sameAvailability(a: Availability | undefined, b: Availability): boolean {
  return a?.status === b.status && a.reason === b.reason && a.message === b.message;
}

/** Sets the condition `Available` of the object; lastTransitionTime changes only if the status does. */
export function setAvailability(object: KubeObject, availability: Availability, nowMs: number): void {
  const conditions = [...objectsAt(object, 'status', 'conditions')];
  const at = conditions.findIndex((candidate) => getKey(candidate, 'type') === 'Available');
  const before = conditions[at];
  const since =
    before !== undefined && text(before, 'status') === availability.status ? text(before, 'lastTransitionTime') : '';
  const condition: JsonObject = {
    type: 'Available',
    status: availability.status,
    lastTransitionTime: since || timeFromMs(nowMs),
    reason: availability.reason,
    message: availability.message,
  };
  if (at < 0) conditions.push(condition);
  else conditions[at] = condition;
  object['status'] = { ...objectAt(object, 'status'), conditions };
}

function text(object: JsonObject, key: string): string {
  const value = getKey(object, key);
  return typeof value === 'string' ? value : '';
}

function number(object: JsonObject, key: string): number {
  const value = getKey(object, key);
  return typeof value === 'number' ? value : 0;
}
