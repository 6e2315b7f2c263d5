import { testConformance } from '#shared/cel/testing/conformance.ts';

testConformance('syntax');
