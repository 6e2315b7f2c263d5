/** All of this folder that only servers with manifests need, for {@link loadManifestReader}. */
export { baseEnvironments } from '#shared/cel/environment/base-environment.ts';
export { ConditionCompiler } from '#shared/cel/uses/admission.ts';
export { loadManifests } from './load-manifests.ts';
