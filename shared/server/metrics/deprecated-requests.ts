import type { Facts } from '#shared/api/facts.ts';
import { joinedKey } from '#shared/apimachinery/tuple-map.ts';
import { isDeprecated } from '#shared/endpoints/deprecation.ts';
import type { Family, Sample } from '#shared/observability/metrics/family.ts';

/** A resource for which there were requests that passed authorization. */
export interface RequestedResource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
}

/** The deprecated versions that were requested since the start (apiserver/pkg/endpoints/metrics). */
export function deprecatedRequests(facts: Facts, requested: () => Iterable<RequestedResource>): Family {
  return {
    name: 'apiserver_requested_deprecated_apis',
    type: 'gauge',
    help: '[STABLE] Gauge of deprecated APIs that have been requested, broken out by API group, version, resource, subresource, and removed_release.',
    labelNames: ['group', 'version', 'resource', 'subresource', 'removed_release'],
    samples() {
      const samples = new Map<string, Sample>();
      for (const { group, version, resource, subresource } of requested()) {
        const known = facts.resource(group, version, resource);
        if (known === undefined || !isDeprecated(known)) continue;
        const labels = [group, version, resource, subresource, known.removedIn ?? ''];
        samples.set(joinedKey(labels), { labels, value: 1 });
      }
      return samples.values();
    },
  };
}
