import { testLimits } from '#servers/core/testing/test-limits.ts';
import { limits as policyLimits } from './testdata/policy-limits.ts';
import { limits as webhookLimits } from './testdata/webhook-limits.ts';

testLimits([...policyLimits, ...webhookLimits]);
