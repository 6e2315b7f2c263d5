import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import type { AuditDecision } from '#shared/audit/contract/audit-policy.ts';
import type { RequestInfo } from '#shared/request/request-info.ts';
import type { UserInfo } from '#shared/request/user.ts';
import { compilePolicy } from './compile-policy.ts';
import { readPolicy } from './load-policy.ts';

interface RecordedRequest extends Pick<
  RequestInfo,
  'verb' | 'isResourceRequest' | 'resource' | 'subresource' | 'namespace' | 'name' | 'path'
> {
  readonly user: string;
  readonly groups: readonly string[];
  readonly group: string;
}

interface RecordedPolicy {
  readonly policy: JsonObject;
  readonly outcomes: readonly string[];
  readonly decisions: readonly number[];
}

const { requests, policies } = JSON.parse(readFileSync(new URL('testdata/recorded.json', import.meta.url), 'utf8')) as {
  readonly requests: readonly RecordedRequest[];
  readonly policies: readonly RecordedPolicy[];
};

function outcome({ level, omitStages, omitManagedFields }: AuditDecision): string {
  return `${level} ${[...omitStages].toSorted().join(',')} ${omitManagedFields ? 'omit' : 'keep'}`;
}

function parties({ user, groups, group, ...info }: RecordedRequest): [UserInfo, RequestInfo] {
  return [{ name: user, groups, uid: '', extra: {} }, { ...info, apiGroup: group } as unknown as RequestInfo];
}

describe('compiled audit policy', () => {
  test('decides about requests as upstream does, by random policies', () => {
    for (const { policy, outcomes, decisions } of policies) {
      const compiled = compilePolicy(readPolicy(Buffer.from(JSON.stringify(policy)), () => undefined));
      for (const [index, request] of requests.entries()) {
        const have = outcome(compiled.decide(...parties(request)));
        const want = outcomes[decisions[index] ?? -1];
        if (have !== want) assert.equal(have, want, JSON.stringify([policy, request]));
      }
    }
  });

  test('answers requests of one rule with one object', () => {
    const text = 'apiVersion: audit.k8s.io/v1\nkind: Policy\nrules:\n- level: Request\n';
    const compiled = compilePolicy(readPolicy(Buffer.from(text), () => undefined));
    const [first, second] = requests.map((request) => compiled.decide(...parties(request)));
    assert.equal(first, second);
  });
});
