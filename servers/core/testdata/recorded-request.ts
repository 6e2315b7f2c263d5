import type { JsonObject } from '#shared/apimachinery/json/json.ts';

/** A creation that the reference was asked for, as a dry run. */
export interface RecordedRequest {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly namespaced: boolean;
  readonly body: JsonObject;
}

/** Parts of workloads. */
export const container = { name: 'c', image: 'nginx' };
export const labels = { app: 'a' };
export const selector = { matchLabels: labels };
export const template = { metadata: { labels }, spec: { containers: [container] } };
const metadata = { name: 'recorded' };

/** A request of one object named `recorded`. */
export function recordedRequest(
  group: string,
  version: string,
  resource: string,
  kind: string,
  content: JsonObject,
  namespaced = true,
): RecordedRequest {
  return {
    group,
    version,
    resource,
    namespaced,
    body: { apiVersion: group === '' ? version : `${group}/${version}`, kind, metadata: { ...metadata }, ...content },
  };
}
