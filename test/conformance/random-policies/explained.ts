interface Explanation {
  /** The upstream file, and why this server differs. */
  readonly why: string;
  readonly pattern: RegExp;
}

const explanations: readonly Explanation[] = [
  {
    why: 'pkg/admission/plugin/policy/generic/policy_source.go: which of several policies is judged first hangs on a map',
    pattern: /^body\.(?:message|reason|code|details\.causes).*|^status: /,
  },
];

/** Whether every line of a difference has an explanation that is known. */
export function isExplained(differences: readonly string[]): boolean {
  return (
    differences.some((line) => /want ".*ValidatingAdmissionPolicy '.*have ".*ValidatingAdmissionPolicy '/.test(line)) &&
    differences.every((line) => explanations.some(({ pattern }) => pattern.test(line)))
  );
}
