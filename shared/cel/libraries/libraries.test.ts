import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { Environment } from '#shared/cel/check/environment.ts';
import { CompileIssues } from '#shared/cel/compile.ts';
import { maxEstimate, type SizeEstimator } from '#shared/cel/contract/estimate.ts';
import type { Library } from '#shared/cel/contract/library.ts';
import { estimateCost } from '#shared/cel/cost/estimate-cost.ts';
import { Program } from '#shared/cel/eval/program.ts';
import { optionalLibrary } from '#shared/cel/stdlib/optionals.ts';
import { standardLibrary } from '#shared/cel/stdlib/standard-library.ts';
import { twoVariableComprehensions } from '#shared/cel/stdlib/two-variable-comprehensions.ts';
import { issueLocations } from '#shared/cel/testdata/recorded-language.ts';
import { compile } from '#shared/cel/testing/compile.ts';
import { recorded, recordedTable, sorted, type RecordedExpression } from '#shared/cel/testing/recorded.ts';
import { CelError } from '#shared/cel/values/value.ts';
import { authorizerType, CelAuthorizer, type AccessAuthorizer } from './authorizer/access-checks.ts';
import { authorizerLibrary, authorizerSelectorsLibrary } from './authorizer/authorizer.ts';
import { equalityCosts } from './equality.ts';
import { formatLibrary } from './format/format.ts';
import { jsonPatchLibrary } from './json-patch/json-patch.ts';
import { kubernetesListsLibrary } from './lists/kubernetes-lists.ts';
import { cidrLibrary } from './net/cidr.ts';
import { ipLibrary } from './net/ip.ts';
import { quantityLibrary } from './quantity/quantity.ts';
import { regexLibrary } from './regex/regex.ts';
import { semverLibrary } from './semver/semver.ts';
import { setsLibrary } from './sets/sets.ts';
import { stringsLibrary } from './strings/strings.ts';
import { urlLibrary } from './url/url.ts';

const libraries: ReadonlyMap<string, Library> = new Map(
  [
    standardLibrary,
    optionalLibrary,
    twoVariableComprehensions,
    stringsLibrary(2),
    setsLibrary,
    semverLibrary,
    authorizerLibrary,
    authorizerSelectorsLibrary,
    formatLibrary,
    jsonPatchLibrary,
    kubernetesListsLibrary,
    cidrLibrary,
    ipLibrary,
    quantityLibrary,
    regexLibrary,
    urlLibrary,
  ].map((library) => [library.name, library]),
);

const allowsAll: AccessAuthorizer = {
  decide: () => ({ allowed: true, reason: '' }),
  forServiceAccount: () => allowsAll,
};

const table = recordedTable('library');
const environments = table.environments.map(
  ({ libraries: names, variables }) =>
    new Environment({
      libraries: [equalityCosts, ...names.flatMap((name) => libraries.get(name) ?? [])],
      variables: 'authorizer' in variables ? [{ name: 'authorizer', type: authorizerType }] : [],
      checkLiterals: false,
    }),
);

/** Upstream's tests take it that no text has more characters. */
const textsOfTwelve: SizeEstimator = {
  estimateSize: ({ type }) => (type.kind === 'string' || type.kind === 'bytes' ? { min: 0, max: 12 } : undefined),
};

/** What differs from what upstream said of an expression; undefined where nothing does. */
function difference(expression: RecordedExpression): string | undefined {
  const program = atOnce(compile(environments[expression.environment] as Environment, expression.text));
  if (program instanceof CompileIssues) {
    const places = issueLocations(expression.text, program.issues);
    const expected = (expression.issues ?? []).map(([l, c, m]) => ({ l, c, m }));
    return JSON.stringify(places) === JSON.stringify(expected)
      ? undefined
      : `refused: ${program.toString()}, not ${JSON.stringify(expected)}`;
  }
  if (!(program instanceof Program)) return `no program: ${program.message}`;
  if (expression.issues !== undefined) return `accepted, not ${JSON.stringify(expression.issues)}`;
  if (Array.isArray(expression.estimate)) {
    const { min, max } = atOnce(
      estimateCost(program.checked, environments[expression.environment] as Environment, textsOfTwelve),
    );
    if (String([min, max]) !== String(expression.estimate.map((bound) => Math.min(Number(bound), maxEstimate))))
      return `may cost ${min} to ${max}, not ${expression.estimate.join(' to ')}`;
  }
  for (const run of expression.runs ?? []) {
    const { value, cost } = program.evaluate(new Map([['authorizer', new CelAuthorizer(allowsAll)]]));
    const got = value instanceof CelError ? { error: value.message } : { value: sorted(recorded(value)) };
    const expected = run.error === undefined ? { value: sorted(run.value) } : { error: run.error };
    if (JSON.stringify(got) !== JSON.stringify(expected))
      return `${JSON.stringify(got)}, not ${JSON.stringify(expected)}`;
    if (run.folded !== undefined && cost !== Number(run.folded)) return `costs ${cost}, not ${run.folded}`;
  }
  return undefined;
}

describe('CEL libraries', () => {
  test("return the types, issues, values, errors and costs of upstream's own test tables", () => {
    const differences = table.expressions.flatMap((expression) => {
      const said = difference(expression);
      return said === undefined ? [] : [`${expression.text}: ${said}`];
    });
    assert.deepEqual(differences, []);
  });
});
