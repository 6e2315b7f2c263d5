import type { FunctionDeclaration } from '#shared/cel/contract/function-declaration.ts';
import type { Library } from '#shared/cel/contract/library.ts';
import { costsOne, costsTraversal, estimatesOne, estimatesTraversal } from '#shared/cel/libraries/sizes.ts';
import { CelObject } from '#shared/cel/values/cel-type.ts';
import { boolType, intType, objectType, stringType, type CelType } from '#shared/cel/values/cel-type.ts';
import { CelError, int, type Value } from '#shared/cel/values/value.ts';
import { compareSemver, parseLooseVersion, parseVersion, VersionError, type Version } from './version.ts';

export const semverType = objectType('kubernetes.Semver');

export class CelSemver extends CelObject {
  readonly version: Version;

  constructor(version: Version) {
    super();
    this.version = version;
  }

  get type(): CelType {
    return semverType;
  }

  override equals(other: unknown): boolean | CelError {
    return other instanceof CelSemver
      ? compareSemver(this.version, other.version) === 0
      : new CelError('no such overload');
  }
}

/** Parses a text as a version; returns an error if it is none. */
export function semverFrom(text: string, loose = false): CelSemver | CelError {
  try {
    return new CelSemver(loose ? parseLooseVersion(text) : parseVersion(text));
  } catch (error) {
    if (error instanceof VersionError) return new CelError(error.message);
    throw error;
  }
}

const accessor = { cost: costsOne, estimate: estimatesOne };
const parsing = { cost: costsTraversal(), estimate: estimatesTraversal() };
const order = (a: CelSemver, b: CelSemver): number => compareSemver(a.version, b.version);
/** Reads major, minor or patch. Upstream converts uint64 to int64, so a number of 2^63 or more becomes negative. */
const part =
  (place: 0 | 1 | 2) =>
  (a: CelSemver): Value =>
    int(BigInt.asIntN(64, a.version.numbers[place]));

const functions: readonly FunctionDeclaration[] = [
  {
    name: 'semver',
    ...parsing,
    overloads: [
      {
        id: 'string_to_semver',
        parameters: [stringType],
        result: semverType,
        implementation: (text: string) => semverFrom(text),
      },
      {
        id: 'string_bool_to_semver',
        parameters: [stringType, boolType],
        result: semverType,
        implementation: (text: string, loose: boolean) => semverFrom(text, loose),
      },
    ],
  },
  {
    name: 'isSemver',
    ...parsing,
    overloads: [
      {
        id: 'is_semver_string',
        parameters: [stringType],
        result: boolType,
        implementation: (text: string) => semverFrom(text) instanceof CelSemver,
      },
      {
        id: 'is_semver_string_bool',
        parameters: [stringType, boolType],
        result: boolType,
        implementation: (text: string, loose: boolean) => semverFrom(text, loose) instanceof CelSemver,
      },
    ],
  },
  {
    name: 'isGreaterThan',
    ...accessor,
    overloads: [
      {
        id: 'semver_is_greater_than',
        member: true,
        parameters: [semverType, semverType],
        result: boolType,
        implementation: (a: CelSemver, b: CelSemver) => order(a, b) === 1,
      },
    ],
  },
  {
    name: 'isLessThan',
    ...accessor,
    overloads: [
      {
        id: 'semver_is_less_than',
        member: true,
        parameters: [semverType, semverType],
        result: boolType,
        implementation: (a: CelSemver, b: CelSemver) => order(a, b) === -1,
      },
    ],
  },
  {
    name: 'compareTo',
    ...accessor,
    overloads: [
      {
        id: 'semver_compare_to',
        member: true,
        parameters: [semverType, semverType],
        result: intType,
        implementation: order,
      },
    ],
  },
  {
    name: 'major',
    ...accessor,
    overloads: [
      { id: 'semver_major', member: true, parameters: [semverType], result: intType, implementation: part(0) },
    ],
  },
  {
    name: 'minor',
    ...accessor,
    overloads: [
      { id: 'semver_minor', member: true, parameters: [semverType], result: intType, implementation: part(1) },
    ],
  },
  {
    name: 'patch',
    ...accessor,
    overloads: [
      { id: 'semver_patch', member: true, parameters: [semverType], result: intType, implementation: part(2) },
    ],
  },
];

/** The Kubernetes library of semantic versions (semver.org), in version 1. */
export const semverLibrary: Library = { name: 'kubernetes.Semver', types: [semverType], functions };
