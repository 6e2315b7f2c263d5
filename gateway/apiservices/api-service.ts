import type { JsonObject } from '../../shared/apimachinery/json.ts';
import { getKey } from '../../shared/apimachinery/json.ts';
import { objectAt } from '../../shared/apimachinery/object.ts';
import type { KubeObject } from '../../shared/apimachinery/object.ts';
import { timeFromMs } from '../../shared/apimachinery/time.ts';

export const apiRegistrationGroup = 'apiregistration.k8s.io';

/** What the gateway reads of an APIService. */
export interface ApiServiceSpec {
  readonly group: string;
  readonly version: string;
  readonly groupPriorityMinimum: number;
  readonly versionPriority: number;
  /** Absent: served by one of our own servers. */
  readonly service?: { readonly namespace: string; readonly name: string; readonly port: number };
}

/** `v1.` for the core group, `v1.apps`. */
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
    ...(service === undefined ? {} : { service: { namespace: text(service, 'namespace'), name: text(service, 'name'), port: number(service, 'port') || 443 } }),
  };
}

/** The condition that every local APIService has. */
export function localAvailableCondition(nowMs: number): JsonObject {
  return {
    type: 'Available',
    status: 'True',
    lastTransitionTime: timeFromMs(nowMs),
    reason: 'Local',
    message: 'Local APIServices are always available',
  };
}

function text(object: JsonObject, key: string): string {
  const value = getKey(object, key);
  return typeof value === 'string' ? value : '';
}

function number(object: JsonObject, key: string): number {
  const value = getKey(object, key);
  return typeof value === 'number' ? value : 0;
}
