interface KnownDifference {
  /** What explains it: the upstream file, and why this server differs. */
  readonly why: string;
  matches(differences: readonly string[]): boolean;
}

const every =
  (pattern: RegExp) =>
  (differences: readonly string[]): boolean =>
    differences.every((line) => pattern.test(line));
const some =
  (pattern: RegExp) =>
  (differences: readonly string[]): boolean =>
    differences.some((line) => pattern.test(line));

/** Differences that stay, or wait for their area. */
const known: readonly KnownDifference[] = [
  { why: 'sigs.k8s.io/yaml/goyaml.v2: texts of errors of the YAML parser', matches: every(/^body\.message: .*yaml: /) },
  {
    why: 'k8s.io/apimachinery/pkg/util/diff: where two differences of the same length exist the reference shows another',
    matches: every(/@@ /),
  },
  {
    why: 'pkg/registry/core/service/portallocator: ports that are given out are random',
    matches: every(/duplicate nodePort: \{[^}]* \d+\}" have "duplicate nodePort: \{[^}]* \d+\}"$/),
  },
  {
    // A port that was given out is sent back as another one.
    why: 'pkg/registry/core/service/portallocator: ports that are given out are random',
    matches: every(
      /^body\.(?:spec\.ports\[\d+\]\.port: want 3[0-2]\d{3} have 3[0-2]\d{3}$|metadata\.managedFields\[\d+\]\..*\.k:\{"port":3[0-2]\d{3},"protocol":"\w+"\}: )/,
    ),
  },
  {
    why: 'k8s.io/api/core/v1/generated.pb.go: bytes that are null in a map come back from protobuf as none',
    matches: every(/^body\.(data|binaryData)\.[^:]*: want "" have null$/),
  },
  {
    why: 'k8s.io/apimachinery/pkg/runtime/types.go: a RawExtension keeps the white space of its JSON, which is a change of what may not change',
    matches: some(
      /^body\.message: want "ControllerRevision\.apps .* is invalid: data: .*: field is immutable" have nothing$/,
    ),
  },
];

/** Why an answer differs, where that is known. */
export function explanationOf(differences: readonly string[]): string | undefined {
  return known.find((item) => item.matches(differences))?.why;
}
