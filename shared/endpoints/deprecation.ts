import type { ResourceFacts } from '../api/facts.ts';
import { formatGroupVersion } from '../apimachinery/gvk.ts';
import { compareReleases, ownRelease } from '../apimachinery/release-version.ts';
import type { RequestContext } from '../request/request-context.ts';

/** Warns of a version that is on its way out (apiserver/pkg/endpoints/deprecation). */
export function addDeprecationWarning(context: RequestContext, facts: ResourceFacts): void {
  // What is to be deprecated is not yet.
  if (facts.deprecatedIn === undefined || compareReleases(facts.deprecatedIn, ownRelease) > 0) return;
  const removed = facts.removedIn === undefined ? '' : `, unavailable in v${facts.removedIn}+`;
  const replacement = facts.replacement === undefined ? '' : `; use ${facts.replacement}`;
  context.addWarning(`${formatGroupVersion(facts)} ${facts.kind} is deprecated in v${facts.deprecatedIn}+${removed}${replacement}`);
}
