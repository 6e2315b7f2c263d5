import { testRecordedBodies } from '#shared/serializer/testing/recorded-bodies.ts';

testRecordedBodies('vnd.kubernetes.protobuf');
