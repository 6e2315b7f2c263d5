import { path } from '../../../shared/apimachinery/field-error.ts';
import { isDNS1123Label } from '../../../shared/apimachinery/names.ts';
import { objectAt, type KubeObject } from '../../../shared/apimachinery/object.ts';
import type { Strategy } from '../../../shared/registry/strategy.ts';
import { dropDisabledPodFields } from './disabled-pod-fields.ts';
import { podSpecWarnings } from './pod-warnings.ts';

/** Where the pod specs of a resource are. */
const podSpecs: Readonly<Record<string, readonly string[]>> = {
  '/pods': ['spec'], '/podtemplates': ['template', 'spec'], '/replicationcontrollers': ['spec', 'template', 'spec'],
  'apps/daemonsets': ['spec', 'template', 'spec'], 'apps/deployments': ['spec', 'template', 'spec'], 'apps/replicasets': ['spec', 'template', 'spec'],
  'apps/statefulsets': ['spec', 'template', 'spec'], 'batch/jobs': ['spec', 'template', 'spec'], 'batch/cronjobs': ['spec', 'jobTemplate', 'spec', 'template', 'spec'],
};

/** Of what the name of a resource becomes a part. */
const namedAfter: Readonly<Record<string, string>> = {
  '/pods': "the Pod's hostname", '/replicationcontrollers': 'Pod names and hostnames', 'apps/deployments': 'Pod names and hostnames',
  'apps/replicasets': 'Pod names and hostnames', 'batch/jobs': 'Pod names and hostnames', 'batch/cronjobs': 'Pod names and hostnames',
};

function nameWarnings(key: string, object: KubeObject): string[] {
  const faults = namedAfter[key] === undefined ? [] : isDNS1123Label(object.metadata.name ?? '');
  return faults.length === 0 ? [] : [`metadata.name: this is used in ${namedAfter[key] ?? ''}, which can result in surprising behavior; a DNS label is recommended: [${faults.join(' ')}]`];
}

/** Whose strategy hands the old template to the warnings in place of the new one (pkg/registry/core/replicationcontroller). */
const warnsOfOld: ReadonlySet<string> = new Set(['/replicationcontrollers']);

/**
 * A strategy with what holds for the pods and pod templates of all resources: fields of features that are off are not kept,
 * and templates are warned of when they come or change.
 */
export function withPodRules(key: string, strategy: Strategy): Strategy {
  const steps = podSpecs[key];
  if (steps === undefined) return strategy;
  const drop = (object: KubeObject): void => dropDisabledPodFields(objectAt(object, ...steps));
  const warnings = (object: KubeObject): string[] => podSpecWarnings(objectAt(object, ...steps) ?? {}, path(...steps));
  return {
    ...strategy,
    prepareForCreate(context, object) {
      drop(object);
      strategy.prepareForCreate?.(context, object);
    },
    prepareForUpdate(context, object, old) {
      drop(object);
      strategy.prepareForUpdate?.(context, object, old);
    },
    warningsOnCreate: (object) => [...nameWarnings(key, object), ...warnings(object), ...strategy.warningsOnCreate?.(object) ?? []],
    // People seldom update pods by hand.
    warningsOnUpdate: (object, old) => [
      ...(key === '/pods' || object.metadata.generation === old.metadata.generation ? [] : warnings(warnsOfOld.has(key) ? old : object)),
      ...strategy.warningsOnUpdate?.(object, old) ?? [],
    ],
  };
}
