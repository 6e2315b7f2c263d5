import { changedPaths } from '#shared/apimachinery/json/changed-paths.ts';
import { cloneInSteps } from '#shared/apimachinery/json/clone.ts';
import type { AdmissionRecorder } from '#shared/request/admission-step.ts';
import { inRequestSlices } from '#shared/request/in-request-slices.ts';
import type { AdmissionAttributes, AdmissionPlugin, AdmissionRounds } from './contract/admission.ts';
import { mostChangedPaths, reasonOf } from './contract/recorded-rules.ts';

/** Runs the mutating phase of a plugin for a request whose steps are recorded. */
export async function recordAdmit(
  plugin: AdmissionPlugin,
  attributes: AdmissionAttributes,
  rounds: AdmissionRounds,
  recorder: AdmissionRecorder,
): Promise<void> {
  const { object } = attributes;
  const before = object && (await inRequestSlices(cloneInSteps(object)));
  const step = { phase: 'mutating', plugin: plugin.name } as const;
  const startedMs = performance.now();
  try {
    await plugin.admit?.(attributes, rounds);
  } catch (error) {
    const ms = performance.now() - startedMs;
    recorder.record({ ...step, verdict: 'refused', reason: reasonOf(error), ms, changed: [] });
    throw error;
  }
  const ms = performance.now() - startedMs;
  const changed =
    before === undefined || object === undefined
      ? []
      : await inRequestSlices(changedPaths(before, object, mostChangedPaths));
  recorder.record({ ...step, verdict: 'admitted', ms, changed });
}

/** Runs the validating phase of a plugin for a request whose steps are recorded. */
export async function recordValidate(
  plugin: AdmissionPlugin,
  attributes: AdmissionAttributes,
  recorder: AdmissionRecorder,
): Promise<void> {
  const step = { phase: 'validating', plugin: plugin.name, changed: [] } as const;
  const startedMs = performance.now();
  try {
    await plugin.validate?.(attributes);
    recorder.record({ ...step, verdict: 'admitted', ms: performance.now() - startedMs });
  } catch (error) {
    recorder.record({ ...step, verdict: 'refused', reason: reasonOf(error), ms: performance.now() - startedMs });
    throw error;
  }
}
