import type { LevelVersion } from '#shared/admission/configuration/pod-security-configuration.ts';
import { objectAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { goQuote, compareUtf8 } from '#shared/apimachinery/text/go-format.ts';
import { violationsOf } from './policy-checks.ts';
import { formatLevelVersion } from './policy-level.ts';

/** Limits for the check of existing pods, so that a change of a label does not take minutes. */
const maxPods = 3000;
const maxMs = 1000;

/** Warnings about existing pods that the new level of a namespace forbids, one for each set of reasons. */
export function warningsOfPods(namespace: string, pods: readonly KubeObject[], enforce: LevelVersion): string[] {
  const deadline = performance.now() + maxMs;
  const found = new Map<string, string[]>();
  let checked = 0;
  for (const pod of oneOfEachController(pods).slice(0, maxPods)) {
    const reasons = violationsOf(enforce, objectAt(pod, 'spec') ?? {}, pod.metadata)
      .map(({ reason }) => reason)
      .join(', ');
    if (reasons !== '') found.set(reasons, [...(found.get(reasons) ?? []), pod.metadata.name ?? '']);
    checked += 1;
    if (performance.now() > deadline) break;
  }
  const warnings =
    checked < pods.length
      ? [`new PodSecurity enforce level only checked against the first ${checked} of ${pods.length} existing pods`]
      : [];
  if (found.size === 0) return warnings;
  const lines = [...found].map(([reasons, names]) => `${mention(names)}: ${reasons}`).sort(compareUtf8);
  return [
    ...warnings,
    `existing pods in namespace ${goQuote(namespace)} violate the new PodSecurity enforce level ${goQuote(formatLevelVersion(enforce))}`,
    ...lines,
  ];
}

function mention(names: readonly string[]): string {
  const [first = ''] = [...names].sort(compareUtf8);
  const others = names.length - 1;
  return others === 0 ? first : `${first} (and ${others} other ${others === 1 ? 'pod' : 'pods'})`;
}

/** Sorts the pods so that one pod of each controller comes first: the other pods of a controller are alike. */
function oneOfEachController(pods: readonly KubeObject[]): KubeObject[] {
  const seen = new Set<string>();
  const first: KubeObject[] = [];
  const others: KubeObject[] = [];
  for (const pod of pods) {
    const controller = pod.metadata.ownerReferences?.find((owner) => owner.controller === true)?.uid;
    if (controller !== undefined && seen.has(controller)) others.push(pod);
    else first.push(pod);
    if (controller !== undefined) seen.add(controller);
  }
  return [...first, ...others];
}
