import type { Facts } from '#shared/api/facts.ts';
import { isDeprecated } from '#shared/endpoints/deprecation.ts';
import { labelText, type Family } from '#shared/observability/metrics.ts';

/** A resource for which there were requests that passed authorization. */
export interface RequestedResource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
}

const name = 'apiserver_requested_deprecated_apis';
const labels = ['group', 'removed_release', 'resource', 'subresource', 'version'];

/** The deprecated versions that were requested since the start (apiserver/pkg/endpoints/metrics). */
export function deprecatedRequests(facts: Facts, requested: () => Iterable<RequestedResource>): Family {
  return {
    name,
    type: 'gauge',
    help: '[STABLE] Gauge of deprecated APIs that have been requested, broken out by API group, version, resource, subresource, and removed_release.',
    lines() {
      const lines = new Set<string>();
      for (const { group, version, resource, subresource } of requested()) {
        const known = facts.resource(group, version, resource);
        if (known !== undefined && isDeprecated(known))
          lines.add(`${name}${labelText(labels, [group, known.removedIn ?? '', resource, subresource, version])} 1`);
      }
      return lines;
    },
  };
}
