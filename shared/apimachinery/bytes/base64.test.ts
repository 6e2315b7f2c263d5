import { describe } from 'node:test';
import { testRecordedSection } from '#shared/apimachinery/testing/recorded-values.ts';
import { canonicalBase64 } from './base64.ts';

describe('canonicalBase64', () => testRecordedSection('base64', (input) => canonicalBase64(String(input))));
