import { path } from '../../../shared/apimachinery/field-error.ts';
import { getKey } from '../../../shared/apimachinery/json.ts';
import type { JsonObject } from '../../../shared/apimachinery/json.ts';
import { isDNS1123Label } from '../../../shared/apimachinery/names.ts';
import { objectAt, type KubeObject } from '../../../shared/apimachinery/object.ts';
import type { Strategy } from '../../../shared/registry/strategy.ts';
import { templateGeneration } from '../apps/daemon-sets.ts';
import type { DropDisabled } from '../gates/disabled-fields.ts';
import { jobSpecWarnings } from '../warnings/jobs.ts';
import { podWarnings } from '../warnings/pods.ts';

/** How a resource holds a pod spec, and what is said of it. */
interface PodHolder {
  /** Steps to what has the metadata and the spec of the pod. */
  readonly steps: readonly string[];
  /** What the name of the object becomes a part of. */
  readonly namedAfter?: string;
  /** Warnings of what holds the template, before those of the template. */
  readonly holderWarnings?: (object: KubeObject) => string[];
  /** Whether the template of an update may say what the old one did not; default: the generation has changed. */
  readonly isChanged?: (object: KubeObject, old: KubeObject) => boolean;
  /** The old template is looked at in place of the new one, a slip of the reference (pkg/registry/core/replicationcontroller). */
  readonly warnsOfOld?: true;
}

const pods = 'Pod names and hostnames';
const template = ['spec', 'template'];

const holders: Readonly<Record<string, PodHolder>> = {
  // People seldom update pods by hand.
  '/pods': { steps: [], namedAfter: "the Pod's hostname", isChanged: () => false },
  '/podtemplates': { steps: ['template'] },
  '/replicationcontrollers': { steps: template, namedAfter: pods, warnsOfOld: true },
  'apps/daemonsets': { steps: template, isChanged: (object, old) => templateGeneration(object) !== templateGeneration(old) },
  'apps/deployments': { steps: template, namedAfter: pods },
  'apps/replicasets': { steps: template, namedAfter: pods },
  'apps/statefulsets': { steps: template },
  'batch/jobs': { steps: template, namedAfter: pods, holderWarnings: (job) => jobSpecWarnings(objectAt(job, 'spec'), path('spec')) },
  'batch/cronjobs': {
    steps: ['spec', 'jobTemplate', ...template], namedAfter: pods,
    holderWarnings: (cronJob) => jobSpecWarnings(objectAt(cronJob, 'spec', 'jobTemplate', 'spec'), path('spec', 'jobTemplate', 'spec')),
  },
};

function nameWarnings(part: string | undefined, object: KubeObject): string[] {
  const faults = part === undefined ? [] : isDNS1123Label(object.metadata.name ?? '');
  return faults.length === 0 ? [] : [`metadata.name: this is used in ${part ?? ''}, which can result in surprising behavior; a DNS label is recommended: [${faults.join(' ')}]`];
}

/**
 * A strategy with what holds for the pods and pod templates of all resources: fields of features that are off are not kept,
 * and templates are warned of when they come or change.
 */
export function withPodRules(key: string, strategy: Strategy, dropDisabled: DropDisabled): Strategy {
  const holder = getKey(holders, key);
  if (holder === undefined) return strategy;
  const { steps, isChanged = (object, old) => object.metadata.generation !== old.metadata.generation } = holder;
  const field = steps.length === 0 ? undefined : path(...steps);
  const specOf = (object: KubeObject): JsonObject | undefined => objectAt(object, ...steps, 'spec');
  const warnings = (object: KubeObject): string[] => [...holder.holderWarnings?.(object) ?? [], ...podWarnings(objectAt(object, ...steps) ?? {}, field)];
  return {
    ...strategy,
    prepareForCreate(context, object) {
      dropDisabled(specOf(object), undefined);
      strategy.prepareForCreate?.(context, object);
    },
    prepareForUpdate(context, object, old) {
      dropDisabled(specOf(object), specOf(old));
      strategy.prepareForUpdate?.(context, object, old);
    },
    warningsOnCreate: (object) => [...nameWarnings(holder.namedAfter, object), ...warnings(object), ...strategy.warningsOnCreate?.(object) ?? []],
    warningsOnUpdate: (object, old) => [
      ...(isChanged(object, old) ? warnings(holder.warnsOfOld === true ? old : object) : []),
      ...strategy.warningsOnUpdate?.(object, old) ?? [],
    ],
  };
}
