import type { ResourceFacts } from '#shared/api/facts.ts';
import { formatGroupVersion } from '#shared/apimachinery/gvk.ts';
import { compareReleases, ownRelease } from '#shared/apimachinery/release-version.ts';
import type { RequestContext } from '#shared/request/request-context.ts';
import type { RequestScope } from './request/request-scope.ts';

/** Whether a version is deprecated in this release, not only in a later one. */
export function isDeprecated({ deprecatedIn }: ResourceFacts): boolean {
  return deprecatedIn !== undefined && compareReleases(deprecatedIn, ownRelease) <= 0;
}

/**
 * Notes a deprecated version, as a warning to the client and an audit annotation (apiserver/pkg/endpoints/deprecation).
 */
export function addDeprecationWarning(context: RequestContext, { facts, kind }: RequestScope): void {
  // Scale and similar kinds have a lifecycle of their own.
  if (!isDeprecated(facts) || kind.kind !== facts.kind) return;
  const removed = facts.removedIn === undefined ? '' : `, unavailable in v${facts.removedIn}+`;
  const replacement = facts.replacement === undefined ? '' : `; use ${facts.replacement}`;
  context.addWarning(
    `${formatGroupVersion(facts)} ${facts.kind} is deprecated in v${facts.deprecatedIn}+${removed}${replacement}`,
  );
  context.audit?.annotate('k8s.io/deprecated', 'true');
  if (facts.removedIn !== undefined) context.audit?.annotate('k8s.io/removed-release', facts.removedIn);
}
