import { testRecordedBodies } from '#shared/serializer/testing/recorded-bodies.ts';

testRecordedBodies(undefined);
