import { describe } from 'node:test';
import { testRecordedSection } from '#shared/apimachinery/testing/recorded-values.ts';
import { canonicalMicroTime, canonicalTime } from './time.ts';

describe('canonicalTime', () => testRecordedSection('times', (input) => canonicalTime(String(input))));

describe('canonicalMicroTime', () => testRecordedSection('microTimes', (input) => canonicalMicroTime(String(input))));
