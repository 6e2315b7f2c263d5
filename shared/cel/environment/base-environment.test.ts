import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import type { Environment } from '#shared/cel/check/environment.ts';
import { formatType } from '#shared/cel/types/format-type.ts';
import { baseEnvironments } from './base-environment.ts';

/** What upstream's environments offer, by the versions that do: `name id signature`. */
const offers = JSON.parse(
  readFileSync(new URL('../testdata/gen/environments.json', import.meta.url), 'utf8'),
) as Readonly<Record<string, readonly string[]>>;

/**
 * The least that can be got on with is 1.33 (`--min-compatibility-version`); before 1.29 comparisons of numbers were
 * others.
 */
const first = 29;

/** Names that are spelled otherwise now cannot be written in an expression. */
function expected(version: string): string[] {
  return Object.entries(offers)
    .filter(([versions]) => versions.split(' ').includes(version))
    .flatMap(([, offered]) => offered)
    .filter((offer) => !/^(?:macro|validator|library|in|_in_|__not_strictly_false__) /.test(offer))
    .sort();
}

function offered(environment: Environment): string[] {
  return environment
    .functionNames()
    .flatMap(
      (name) =>
        environment
          .findFunction(name)
          ?.overloads.map(
            ({ overload }) =>
              `${name} ${overload.id} ${overload.member === true ? 'member' : ''}(${overload.parameters.map((type) => formatType(type)).join(', ')}) -> ${formatType(overload.result)}`,
          ) ?? [],
    )
    .sort();
}

describe('baseEnvironments', () => {
  for (let minor = first; minor <= 36; minor++) {
    test(`offers upstream's functions to new expressions of 1.${minor}`, () => {
      assert.deepEqual(offered(baseEnvironments(minor).forNew), expected(`1.${minor}`));
    });
  }

  test("offers upstream's functions to stored expressions", () => {
    assert.deepEqual(offered(baseEnvironments(36).forStored), expected('stored'));
  });

  test("hides the authorizer's selectors from new expressions while their feature gate is off", () => {
    const { forNew, forStored } = baseEnvironments(36, () => false);
    assert.equal(forNew.findFunction('fieldSelector'), undefined);
    assert.notEqual(forStored.findFunction('fieldSelector'), undefined);
  });
});
