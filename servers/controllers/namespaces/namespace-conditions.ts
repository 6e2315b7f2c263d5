import type { NamespaceCondition } from '#servers/controllers/client/namespace-object.ts';
import type { RemainingContent } from './remaining-content.ts';

/** What came up while a namespace was emptied. */
export interface EmptyingReport {
  /** By group version why its resources are not known. */
  readonly discoveryFailures: ReadonlyMap<string, string>;
  /** Why the content of resources could not be deleted. */
  readonly contentErrors: readonly string[];
  /** Undefined where it is not told yet, since pods go first. */
  readonly remaining: RemainingContent | undefined;
}

interface Finding {
  readonly reason: string;
  readonly message: string;
}

/** Reasons and messages of what is in order (pkg/controller/namespace/deletion/status_condition_utils.go). */
const inOrder = [
  ['NamespaceDeletionDiscoveryFailure', 'ResourcesDiscovered', 'All resources successfully discovered'],
  ['NamespaceDeletionGroupVersionParsingFailure', 'ParsedGroupVersions', 'All legacy kube types successfully parsed'],
  [
    'NamespaceDeletionContentFailure',
    'ContentDeleted',
    'All content successfully deleted, may be waiting on finalization',
  ],
  ['NamespaceContentRemaining', 'ContentRemoved', 'All content successfully removed'],
  ['NamespaceFinalizersRemaining', 'ContentHasNoFinalizers', 'All content-preserving finalizers finished'],
] as const;

/**
 * The conditions of a namespace after an attempt to empty it; undefined if none of them differs from those that it has.
 */
export function conditionsAfter(
  report: EmptyingReport,
  before: readonly NamespaceCondition[],
  now: string,
): readonly NamespaceCondition[] | undefined {
  const found = findings(report);
  const conditions = new Map(before.map((condition) => [condition.type, condition]));
  let isChanged = false;
  for (const [type, okReason, okMessage] of inOrder) {
    const finding = found.get(type);
    const status = finding === undefined ? 'False' : 'True';
    const { reason, message } = finding ?? { reason: okReason, message: okMessage };
    const old = conditions.get(type);
    if (old?.status === status && old.reason === reason && old.message === message) continue;
    isChanged = true;
    const lastTransitionTime = old?.status === status ? old.lastTransitionTime : now;
    conditions.set(type, { type, status, lastTransitionTime, reason, message });
  }
  return isChanged ? [...conditions.values()] : undefined;
}

function findings({ discoveryFailures, contentErrors, remaining }: EmptyingReport): ReadonlyMap<string, Finding> {
  const found = new Map<string, Finding>();
  if (discoveryFailures.size > 0)
    found.set('NamespaceDeletionDiscoveryFailure', {
      reason: 'DiscoveryFailed',
      message: `Discovery failed for some groups, ${discoveryFailures.size} failing: unable to retrieve the complete list of server APIs: ${[...discoveryFailures].map(([groupVersion, why]) => `${groupVersion}: ${why}`).join(', ')}`,
    });
  if (contentErrors.length > 0)
    found.set('NamespaceDeletionContentFailure', {
      reason: 'ContentDeletionFailed',
      message: `Failed to delete all resource types, ${contentErrors.length} remaining: ${contentErrors.toSorted().join(', ')}`,
    });
  if (remaining === undefined) return found;
  const resources = told(remaining.byResource, (name, count) => `${name} has ${count} resource instances`);
  if (resources !== '')
    found.set('NamespaceContentRemaining', {
      reason: 'SomeResourcesRemain',
      message: `Some resources are remaining: ${resources}`,
    });
  const finalizers = told(remaining.byFinalizer, (name, count) => `${name} in ${count} resource instances`);
  if (finalizers !== '')
    found.set('NamespaceFinalizersRemaining', {
      reason: 'SomeFinalizersRemain',
      message: `Some content in the namespace has finalizers remaining: ${finalizers}`,
    });
  return found;
}

function told(counts: ReadonlyMap<string, number>, words: (name: string, count: number) => string): string {
  return [...counts]
    .filter(([, count]) => count > 0)
    .map(([name, count]) => words(name, count))
    .toSorted()
    .join(', ');
}
