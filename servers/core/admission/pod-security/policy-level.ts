import { invalid, path, type FieldError } from '#shared/apimachinery/errors/field-error.ts';
import { stringMapAt, type KubeObject } from '#shared/apimachinery/object.ts';

/** From the most permissive to the strictest. */
const levels = ['privileged', 'baseline', 'restricted'] as const;
export type PolicyLevel = (typeof levels)[number];

/** A level as a minor version of Kubernetes 1 defined it; Infinity is the latest. */
export interface LevelVersion {
  readonly level: PolicyLevel;
  readonly minor: number;
}

/** The policy that the labels of a namespace set (pod-security-admission/api). */
export interface NamespacePolicy {
  readonly enforce: LevelVersion;
  readonly audit: LevelVersion;
  readonly warn: LevelVersion;
  /** Errors of labels with an invalid value. */
  readonly errors: readonly FieldError[];
}

const prefix = 'pod-security.kubernetes.io/';
const latest: LevelVersion = { level: 'privileged', minor: Infinity };

/** `baseline:latest`, `restricted:v1.25`. */
export function formatLevelVersion({ level, minor }: LevelVersion): string {
  return `${level}:${minor === Infinity ? 'latest' : `v1.${minor}`}`;
}

export function isStricter(a: PolicyLevel, b: PolicyLevel): boolean {
  return levels.indexOf(a) > levels.indexOf(b);
}

export function sameLevelVersion(a: LevelVersion, b: LevelVersion): boolean {
  return a.level === b.level && a.minor === b.minor;
}

export function namespacePolicy(namespace: KubeObject): NamespacePolicy {
  const labels = stringMapAt(namespace.metadata, 'labels');
  const errors: FieldError[] = [];
  // An invalid label is enforced as the strictest level, but gives neither audit annotations nor warnings.
  const enforce = readMode(labels, 'enforce', 'restricted', errors);
  const audit = readMode(labels, 'audit', 'privileged', errors);
  const warn = readMode(labels, 'warn', 'privileged', errors);
  const enforces = levels.some((level) => level === labels.get(`${prefix}enforce`));
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

function readMode(
  labels: ReadonlyMap<string, string>,
  mode: string,
  unreadable: PolicyLevel,
  errors: FieldError[],
): LevelVersion {
  const complain = (label: string, value: string, message: string): void =>
    void errors.push(invalid(path('metadata', 'labels').key(label), value, message));
  let { level, minor } = latest;
  const levelText = labels.get(prefix + mode);
  if (levelText !== undefined) {
    const known = levels.find((item) => item === levelText);
    if (known === undefined) complain(prefix + mode, levelText, `must be one of ${levels.join(', ')}`);
    level = known ?? unreadable;
  }
  const versionText = labels.get(`${prefix}${mode}-version`);
  if (versionText !== undefined && versionText !== 'latest') {
    const digits = /^v1\.(0|[1-9][0-9]*)$/.exec(versionText)?.[1];
    if (digits === undefined) complain(`${prefix}${mode}-version`, versionText, 'must be "latest" or "v1.x"');
    else minor = Number(digits);
  }
  return { level, minor };
}
