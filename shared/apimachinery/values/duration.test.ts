import { describe } from 'node:test';
import { testRecordedSection } from '#shared/apimachinery/testing/recorded-values.ts';
import { formatDuration, parseDuration } from './duration.ts';

describe('parseDuration and formatDuration', () =>
  testRecordedSection('durations', (input) => formatDuration(parseDuration(String(input)))));
