import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { AuthorizerAttributes } from '#shared/authorization/contract/authorizer.ts';
import { countedBy } from '#shared/observability/exposition/testing/counted-by.ts';
import { countedChecks, countImpersonation } from './impersonation-metrics.ts';

describe('metrics of impersonation', () => {
  test('count attempts by the mode that allowed them, and checks by the mode of their verb', async () => {
    const authorizer = countedChecks({
      authorize: ({ verb }) => ({ decision: verb === 'impersonate' ? 'allow' : 'noOpinion', reason: '' }),
    });
    const counted = await countedBy('apiserver_impersonation', async () => {
      for (const verb of ['impersonate-on:user-info:get', 'impersonate:user-info', 'impersonate'])
        await authorizer.authorize({ verb } as unknown as AuthorizerAttributes);
      countImpersonation('', performance.now());
      countImpersonation('serviceaccount', performance.now());
      countImpersonation(undefined, performance.now());
    });
    const prefix = 'apiserver_impersonation_';
    assert.deepEqual(
      counted.filter((line) => !line.includes('duration')),
      [
        `${prefix}attempts_total{decision="allowed",mode="legacy"} 1`,
        `${prefix}attempts_total{decision="allowed",mode="serviceaccount"} 1`,
        `${prefix}attempts_total{decision="denied",mode=""} 1`,
        `${prefix}authorization_attempts_total{decision="allowed",mode="legacy"} 1`,
        `${prefix}authorization_attempts_total{decision="denied",mode="user-info"} 2`,
      ],
    );
  });
});
