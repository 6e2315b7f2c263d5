import { testLimits } from '#servers/core/testing/test-limits.ts';
import { limits as createLimits } from './testdata/limits.ts';
import { limits as updateLimits } from './testdata/update-limits.ts';

testLimits([...createLimits, ...updateLimits]);
