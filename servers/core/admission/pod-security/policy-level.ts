import {
  levelError,
  parsePolicyVersion,
  policyLevels,
  policyModes,
  versionError,
  type LevelVersion,
  type PodSecurityConfiguration,
  type PolicyLevel,
  type PolicyMode,
} from '#shared/admission/configuration/pod-security-configuration.ts';
import { invalid, path, type FieldError } from '#shared/apimachinery/errors/field-error.ts';
import { stringMapAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';

/** The policy that the labels of a namespace set (pod-security-admission/api). */
export interface NamespacePolicy {
  readonly enforce: LevelVersion;
  readonly audit: LevelVersion;
  readonly warn: LevelVersion;
  /** Errors of labels with an invalid value. */
  readonly errors: readonly FieldError[];
}

const prefix = 'pod-security.kubernetes.io/';

/** `baseline:latest`, `restricted:v1.25`. */
export function formatLevelVersion({ level, minor }: LevelVersion): string {
  return `${level}:${minor === Infinity ? 'latest' : `v1.${minor}`}`;
}

export function isStricter(a: PolicyLevel, b: PolicyLevel): boolean {
  return policyLevels.indexOf(a) > policyLevels.indexOf(b);
}

export function sameLevelVersion(a: LevelVersion, b: LevelVersion): boolean {
  return a.level === b.level && a.minor === b.minor;
}

/** The policy of a namespace: its labels, and the defaults for those that it does not have. */
export function namespacePolicy(
  namespace: KubeObject,
  defaults: PodSecurityConfiguration['defaults'],
): NamespacePolicy {
  const labels = stringMapAt(namespace.metadata, 'labels');
  const errors: FieldError[] = [];
  // An invalid label is enforced as the strictest level, but gives neither audit annotations nor warnings.
  const enforce = readMode(labels, 'enforce', { initial: defaults.enforce, unreadable: 'restricted' }, errors);
  const audit = readMode(labels, 'audit', { initial: defaults.audit, unreadable: 'privileged' }, errors);
  const warn = readMode(labels, 'warn', { initial: defaults.warn, unreadable: 'privileged' }, errors);
  const enforces = policyLevels.some((level) => level === labels.get(`${prefix}enforce`));
  // Without a `warn` label the enforced level also gives warnings, even for workloads, which it does not refuse.
  if (labels.has(`${prefix}warn`) || !enforces || !isStricter(enforce.level, warn.level))
    return { enforce, audit, warn, errors };
  return {
    enforce,
    audit,
    warn: { level: enforce.level, minor: labels.has(`${prefix}warn-version`) ? warn.minor : enforce.minor },
    errors,
  };
}

/** The warning that the labels of an exempt namespace have no effect; undefined where they change nothing. */
export function exemptionWarning(
  namespace: KubeObject,
  policy: NamespacePolicy,
  defaults: PodSecurityConfiguration['defaults'],
): string | undefined {
  const isPrivileged = (mode: LevelVersion): boolean => mode.level === 'privileged';
  if (policyModes.every((mode) => isPrivileged(policy[mode]))) return undefined;
  const isDefault = (mode: PolicyMode): boolean =>
    (isPrivileged(policy[mode]) && isPrivileged(defaults[mode])) || sameLevelVersion(policy[mode], defaults[mode]);
  if (policyModes.every(isDefault)) return undefined;
  const labels = stringMapAt(namespace.metadata, 'labels');
  const told = policyModes
    .filter((mode) => labels.has(prefix + mode) || labels.has(`${prefix}${mode}-version`))
    .filter((mode) => !isPrivileged(policy[mode]))
    .map((mode) => `${mode}=${formatLevelVersion(policy[mode])}`);
  const name = goQuote(namespace.metadata.name ?? '');
  return `namespace ${name} is exempt from Pod Security, and the policy (${told.join(', ')}) will be ignored`;
}

function readMode(
  labels: ReadonlyMap<string, string>,
  mode: PolicyMode,
  { initial, unreadable }: { initial: LevelVersion; unreadable: PolicyLevel },
  errors: FieldError[],
): LevelVersion {
  const complain = (label: string, value: string, message: string): void =>
    void errors.push(invalid(path('metadata', 'labels').key(label), value, message));
  let { level, minor } = initial;
  const levelText = labels.get(prefix + mode);
  if (levelText !== undefined) {
    const known = policyLevels.find((item) => item === levelText);
    if (known === undefined) complain(prefix + mode, levelText, levelError);
    level = known ?? unreadable;
  }
  const versionText = labels.get(`${prefix}${mode}-version`);
  if (versionText !== undefined) {
    const known = parsePolicyVersion(versionText);
    if (known === undefined) complain(`${prefix}${mode}-version`, versionText, versionError);
    minor = known ?? Infinity;
  }
  return { level, minor };
}
