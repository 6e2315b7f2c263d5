import { testLimits } from '#servers/core/testing/test-limits.ts';
import { limits as claimLimits } from './testdata/claim-limits.ts';
import { limits as sliceLimits } from './testdata/slice-limits.ts';

testLimits([...claimLimits, ...sliceLimits]);
