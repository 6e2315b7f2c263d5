import { testLimits } from '#servers/core/testing/test-limits.ts';
import { limits } from './testdata/limits.ts';

testLimits(limits);
