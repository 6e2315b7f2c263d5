import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import type { AuthorizeAccess } from '#shared/admission/contract/authorize.ts';
import type { VersionedAttributes } from '#shared/admission/contract/versioned-attributes.ts';
import { podAttributes } from '#shared/admission/testing/attributes.ts';
import { loadFacts } from '#shared/api/load-facts.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { inSlices } from '#shared/apimachinery/slices/slices.ts';
import { baseEnvironments } from '#shared/cel/environment/base-environment.ts';
import { ConditionCompiler } from '#shared/cel/uses/admission.ts';
import { compileMatchConditions, type FailurePolicy, type MatchOutcome } from './match-conditions.ts';
import { RequestAuthorizer } from './request-authorizer.ts';
import { RequestValues } from './request-values.ts';

interface Recorded {
  readonly conditions: readonly JsonObject[];
  readonly failurePolicy: FailurePolicy;
  readonly matches: boolean;
  readonly condition?: string;
  readonly error?: string;
}

const table = JSON.parse(
  readFileSync(new URL('testdata/match-conditions.json', import.meta.url), 'utf8'),
) as readonly Recorded[];
const compiler = new ConditionCompiler(baseEnvironments(35));

/** The deployment and the request of the recorder (test/recorders/match-conditions). */
function versionedAttributes(): VersionedAttributes {
  const kind = { group: 'apps', version: 'v1', kind: 'Deployment' };
  const schema = loadFacts().schema('apps', 'v1', 'Deployment');
  assert.ok(schema !== undefined);
  const object = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'd', namespace: 'n', labels: { a: 'b' } },
    spec: { template: { spec: { containers: [{ name: 'c', ports: [{}] }, { name: 'e' }] } } },
  };
  const attributes = podAttributes({
    kind,
    resource: { group: 'apps', version: 'v1', resource: 'deployments' },
    namespace: 'n',
    name: 'd',
    dryRun: true,
    options: { kind: 'CreateOptions', apiVersion: 'meta.k8s.io/v1', fieldManager: 'm' },
    user: { name: 'u', uid: '', groups: ['a', 'b'], extra: { k: ['v'] } },
    object,
  });
  return { attributes, kind, schema, object };
}

/** Allows to create; the reason tells the question. */
const answer: AuthorizeAccess = (user, question) => ({
  allowed: question.verb === 'create',
  reason:
    'path' in question
      ? `${question.verb} ${question.path} by ${user.name}`
      : `${question.verb} ${question.group}/${question.version}/${question.resource}/${question.subresource ?? ''}/ ` +
        `${question.namespace ?? ''}/${question.name} by ${user.name}`,
  ...(question.verb === 'break' ? { error: 'broken' } : {}),
});

async function outcomeOf(authorize: AuthorizeAccess, { conditions, failurePolicy }: Recorded): Promise<MatchOutcome> {
  const versioned = versionedAttributes();
  const values = new RequestValues(versioned, new RequestAuthorizer(authorize, versioned.attributes.user));
  const matcher = await inSlices(
    compileMatchConditions(conditions, { name: 'a', kind: 'webhook', type: 'admit', failurePolicy }, compiler),
  );
  assert.ok(matcher !== undefined);
  return inSlices(matcher.match(values, null));
}

function expected({ matches, condition, error }: Recorded): MatchOutcome {
  if (error !== undefined) return { error };
  return matches ? { matches } : { matches, ...(condition === undefined ? {} : { condition }) };
}

describe('MatchConditions', () => {
  test("decides as upstream's matcher does", async () => {
    const differences: string[] = [];
    for (const line of table) {
      const outcome = await outcomeOf(answer, line);
      if (JSON.stringify(outcome) !== JSON.stringify(expected(line)))
        differences.push(`${JSON.stringify(line)}: ${JSON.stringify(outcome)}`);
    }
    assert.deepEqual(differences, []);
    assert.ok(table.length > 300);
  });

  test('waits for an authorizer that answers later, and asks each question once', async () => {
    let asked = 0;
    const later: AuthorizeAccess = async (...question) => {
      asked++;
      return await answer(...question);
    };
    const check = "authorizer.path('/a').check('create').allowed()";
    const outcome = await outcomeOf(later, {
      conditions: [
        { name: 'a', expression: `${check} && authorizer.path('/b').check('create').allowed()` },
        { name: 'b', expression: check },
      ],
      failurePolicy: 'Fail',
      matches: true,
    });
    assert.deepEqual(outcome, { matches: true });
    assert.equal(asked, 2);
  });
});
