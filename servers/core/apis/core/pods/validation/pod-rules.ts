import type { Gates } from '#servers/core/gates/gates.ts';
import type { RuleOptions } from '#servers/core/gates/rule-options.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { booleanAt, int64At, objectAt, objectsAt, stringAt, stringsAt } from '#shared/apimachinery/object.ts';
import { isEnvVarName, isRelaxedEnvVarName } from '#shared/apimachinery/validation/names.ts';

/**
 * Rules of pod specs that depend on feature gates. A rule is relaxed, too, if the spec to be replaced already uses the
 * feature (pkg/api/pod/util.go GetValidationOptionsFromPodSpecAndMeta).
 */
export interface PodRules {
  readonly relaxedVariables: boolean;
  readonly relaxedSearches: boolean;
  readonly fileVariables: boolean;
  readonly zeroSleep: boolean;
  readonly restartRules: boolean;
  readonly restartAll: boolean;
  readonly resizeOfSidecars: boolean;
  /** Init containers that are not sidecars may have the resize policy RestartContainer. */
  readonly restartsInit: boolean;
  readonly usersOnHost: boolean;
  readonly usersWithDevices: boolean;
  readonly mountOption: boolean;
  readonly comparesTaints: boolean;
  /** Label keys of spread constraints are merged into their selectors. */
  readonly mergedSpreadKeys: boolean;
  readonly allowPrivileged: boolean;
  readonly gates: Gates;
}

const lists = ['initContainers', 'containers', 'ephemeralContainers'];

function containersOf(spec: JsonObject): JsonObject[] {
  return lists.flatMap((list) => objectsAt(spec, list));
}

function isSidecar(container: JsonObject): boolean {
  return stringAt(container, 'restartPolicy') === 'Always';
}

/** The rules for a pod spec that is new, or that replaces `old`. */
export function podRules(
  spec: JsonObject,
  old: JsonObject | undefined,
  { gates, allowPrivileged }: RuleOptions,
): PodRules {
  const was = (uses: (old: JsonObject) => boolean): boolean => old !== undefined && uses(old);
  return {
    relaxedVariables: gates.RelaxedEnvironmentVariableValidation || was((before) => keepsRelaxedNames(spec, before)),
    relaxedSearches:
      gates.RelaxedDNSSearchValidation ||
      was((before) =>
        stringsAt(before, 'dnsConfig', 'searches').some((search) => search === '.' || search.includes('_')),
      ),
    fileVariables:
      gates.EnvFiles ||
      was((before) =>
        containersOf(before).some((container) =>
          objectsAt(container, 'env').some((variable) => objectAt(variable, 'valueFrom', 'fileKeyRef') !== undefined),
        ),
      ),
    zeroSleep: gates.PodLifecycleSleepActionAllowZero || was((before) => containersOf(before).some(sleepsZero)),
    restartRules: gates.ContainerRestartRules || was(usesRestartRules),
    restartAll: gates.RestartAllContainersOnContainerExits || was(usesRestartOfAll),
    resizeOfSidecars:
      gates.InPlacePodVerticalScaling ||
      was((before) =>
        objectsAt(before, 'initContainers').some(
          (container) => isSidecar(container) && objectsAt(container, 'resizePolicy').length > 0,
        ),
      ),
    restartsInit: was((before) =>
      objectsAt(before, 'initContainers').some(
        (container) =>
          !isSidecar(container) &&
          objectsAt(container, 'resizePolicy').some(
            (policy) => stringAt(policy, 'restartPolicy') === 'RestartContainer',
          ),
      ),
    ),
    usersOnHost:
      gates.UserNamespacesHostNetworkSupport ||
      was((before) => booleanAt(before, 'hostUsers') === false && booleanAt(before, 'hostNetwork') === true),
    usersWithDevices: was(
      (before) =>
        booleanAt(before, 'hostUsers') === false &&
        containersOf(before).some((container) => objectsAt(container, 'volumeDevices').length > 0),
    ),
    mountOption:
      gates.SELinuxMount || was((before) => objectAt(before, 'securityContext')?.['seLinuxChangePolicy'] !== undefined),
    comparesTaints: mayCompareTaints(old, gates),
    mergedSpreadKeys: gates.MatchLabelKeysInPodTopologySpread && gates.MatchLabelKeysInPodTopologySpreadSelectorMerge,
    allowPrivileged,
    gates,
  };
}

/** Whether tolerations may compare taints as numbers: with the feature, or where the old spec does so. */
export function mayCompareTaints(old: JsonObject | undefined, gates: Gates): boolean {
  return gates.TaintTolerationComparisonOperators || (old !== undefined && comparesTaints(old));
}

function comparesTaints(spec: JsonObject): boolean {
  return objectsAt(spec, 'tolerations').some((toleration) => ['Lt', 'Gt'].includes(stringAt(toleration, 'operator')));
}

function sleepsZero(container: JsonObject): boolean {
  return ['preStop', 'postStart'].some((hook) => {
    const sleep = objectAt(container, 'lifecycle', hook, 'sleep');
    return sleep !== undefined && (int64At(sleep, 'seconds') ?? 0) === 0;
  });
}

function usesRestartRules(spec: JsonObject): boolean {
  return (
    objectsAt(spec, 'containers').some((container) => container['restartPolicy'] !== undefined) ||
    objectsAt(spec, 'initContainers').some(
      (container) =>
        (container['restartPolicy'] !== undefined && !isSidecar(container)) ||
        objectsAt(container, 'restartPolicyRules').length > 0,
    )
  );
}

/** Whether a spec uses RestartAllContainers, or restart rules of sidecars, which came with the same feature. */
function usesRestartOfAll(spec: JsonObject): boolean {
  const restartsAll = (container: JsonObject): boolean =>
    objectsAt(container, 'restartPolicyRules').some((rule) => stringAt(rule, 'action') === 'RestartAllContainers');
  return (
    objectsAt(spec, 'containers').some(restartsAll) ||
    objectsAt(spec, 'initContainers').some(
      (container) =>
        restartsAll(container) || (isSidecar(container) && objectsAt(container, 'restartPolicyRules').length > 0),
    )
  );
}

function variableNames(spec: JsonObject): string[] {
  return containersOf(spec).flatMap((container) => [
    ...objectsAt(container, 'env').map((variable) => stringAt(variable, 'name')),
    ...objectsAt(container, 'envFrom').map((source) => stringAt(source, 'prefix')),
  ]);
}

function keepsRelaxedNames(spec: JsonObject, old: JsonObject): boolean {
  const before = new Set(variableNames(old));
  return variableNames(spec).some(
    (name) => before.has(name) && isEnvVarName(name).length > 0 && isRelaxedEnvVarName(name).length === 0,
  );
}
