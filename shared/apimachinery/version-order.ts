interface KubeVersion {
  readonly major: number;
  /** 3 for a release, 2 for beta, 1 for alpha. */
  readonly stage: number;
  readonly minor: number;
}

const pattern = /^v(\d+)(?:(alpha|beta)(\d+))?$/;

/**
 * Order of versions by their name, best first: `v10, v2, v1, v11beta2, v3beta1, v12alpha1, foo1`. Names that are not
 * Kubernetes versions come last, by text. (k8s.io/apimachinery/pkg/version, CompareKubeAwareVersionStrings)
 */
export function compareVersions(a: string, b: string): number {
  if (a === b) return 0;
  const left = parse(a);
  const right = parse(b);
  if (left === undefined && right === undefined) return a < b ? -1 : 1;
  if (left === undefined) return 1;
  if (right === undefined) return -1;
  return right.stage - left.stage || right.major - left.major || right.minor - left.minor;
}

function parse(version: string): KubeVersion | undefined {
  const match = pattern.exec(version);
  if (match === null) return undefined;
  const stage = match[2] === undefined ? 3 : match[2] === 'beta' ? 2 : 1;
  return { major: Number(match[1]), stage, minor: Number(match[3] ?? 0) };
}
