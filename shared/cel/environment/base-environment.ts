import { Environment } from '#shared/cel/check/environment.ts';
import type { Library } from '#shared/cel/contract/library.ts';
import { authorizerLibrary, authorizerSelectorsLibrary } from '#shared/cel/libraries/authorizer/authorizer.ts';
import { equalityCosts } from '#shared/cel/libraries/equality.ts';
import { formatLibrary } from '#shared/cel/libraries/format/format.ts';
import { kubernetesListsLibrary } from '#shared/cel/libraries/lists/kubernetes-lists.ts';
import { listsLibrary } from '#shared/cel/libraries/lists/lists.ts';
import { cidrLibrary } from '#shared/cel/libraries/net/cidr.ts';
import { ipLibrary } from '#shared/cel/libraries/net/ip.ts';
import { quantityLibrary } from '#shared/cel/libraries/quantity/quantity.ts';
import { regexLibrary } from '#shared/cel/libraries/regex/regex.ts';
import { semverLibrary } from '#shared/cel/libraries/semver/semver.ts';
import { setsLibrary } from '#shared/cel/libraries/sets/sets.ts';
import { stringsLibrary } from '#shared/cel/libraries/strings/strings.ts';
import { urlLibrary } from '#shared/cel/libraries/url/url.ts';
import { optionalLibrary } from '#shared/cel/stdlib/optionals.ts';
import { standardLibrary } from '#shared/cel/stdlib/standard-library.ts';
import { twoVariableComprehensions } from '#shared/cel/stdlib/two-variable-comprehensions.ts';
import { wellKnownTypes } from '#shared/cel/stdlib/well-known-types.ts';

/** Libraries that a release of Kubernetes added to CEL. Releases are minor versions: 34 is 1.34. */
interface Offer {
  readonly since: number;
  /** The first release that no longer has these libraries. */
  readonly until?: number;
  /** The feature gate that enables the libraries for new expressions, whatever the release. */
  readonly gate?: string;
  readonly libraries: readonly Library[];
}

/** The libraries, in the order in which upstream adds them (k8s.io/apiserver/pkg/cel/environment, base.go). */
const offers: readonly Offer[] = [
  { since: 0, libraries: [standardLibrary, equalityCosts, urlLibrary, regexLibrary, kubernetesListsLibrary] },
  { since: 27, libraries: [authorizerLibrary] },
  { since: 28, libraries: [optionalLibrary, quantityLibrary] },
  { since: 0, until: 29, libraries: [stringsLibrary(0)] },
  { since: 29, libraries: [stringsLibrary(2), setsLibrary] },
  { since: 30, libraries: [ipLibrary, cidrLibrary] },
  { since: 31, libraries: [formatLibrary] },
  { since: 31, gate: 'AuthorizeWithSelectors', libraries: [authorizerSelectorsLibrary] },
  { since: 32, libraries: [twoVariableComprehensions] },
  { since: 33, libraries: [semverLibrary] },
  { since: 34, libraries: [listsLibrary] },
];

/** The first minor release that validates literals of durations, timestamps and patterns. */
const literalsSince = 29;

/**
 * The first minor release in which fields with reserved names can be written without escapes (`self.if`); earlier
 * releases accept only `self.__if__`.
 */
const reservedFieldsSince = 31;

export type EnabledGate = (gate: string) => boolean;

/** Environments for new expressions, and for expressions that are already stored or come from files. */
export interface EnvironmentPair {
  /** Has the libraries of the oldest release that may have to read the expression. */
  readonly forNew: Environment;
  /** Has the libraries of all releases. */
  readonly forStored: Environment;
}

/**
 * The environments with the functions that every CEL expression in Kubernetes can use.
 * @param compatibility the minor version of the oldest release that expressions must work with: the one before the
 * emulated release
 */
export function baseEnvironments(compatibility: number, isEnabled: EnabledGate = () => true): EnvironmentPair {
  return {
    forNew: environmentOf(compatibility, isEnabled),
    forStored: environmentOf(Number.POSITIVE_INFINITY, () => true),
  };
}

function environmentOf(minor: number, isEnabled: EnabledGate): Environment {
  const offered = offers.filter(({ since, until, gate }) =>
    gate === undefined ? minor >= since && (until === undefined || minor < until) : isEnabled(gate),
  );
  return new Environment({
    libraries: offered.flatMap(({ libraries }) => libraries),
    providers: [wellKnownTypes],
    checkLiterals: minor >= literalsSince,
    reservedFields: minor >= reservedFieldsSince,
  });
}
