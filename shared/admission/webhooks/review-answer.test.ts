import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { loadFacts } from '#shared/api/load-facts.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import type { AdmissionReviewVersion } from './admission-review.ts';
import { decodeReview, verifyReview } from './review-answer.ts';

interface Recorded {
  readonly version: AdmissionReviewVersion;
  readonly mutating: boolean;
  readonly code: number;
  readonly body: string;
  readonly error?: string;
  readonly invalid?: string;
  readonly response?: JsonObject;
}

const recording = new URL('../../webhooks/testdata/answers.json', import.meta.url);
const { answers } = JSON.parse(readFileSync(recording, 'utf8')) as { readonly answers: readonly Recorded[] };
const type = loadFacts().schema('admission.k8s.io', 'v1', 'AdmissionReview');
assert.ok(type);
const reviewType = type;

function outcomeOf({ body, version, mutating }: Recorded): Partial<Recorded> {
  let answer: JsonObject;
  try {
    answer = atOnce(decodeReview(Buffer.from(body), version, reviewType));
  } catch (error) {
    return { error: (error as Error).message };
  }
  try {
    const said = verifyReview(answer, { uid: 'u', version, text: '' }, mutating);
    return {
      response: {
        AuditAnnotations: Object.keys(said.auditAnnotations).length === 0 ? null : said.auditAnnotations,
        Allowed: said.allowed,
        Patch: said.patch,
        PatchType: said.patchType,
        Result: said.result === undefined ? null : { metadata: {}, ...said.result },
        Warnings: said.warnings.length === 0 ? null : [...said.warnings],
      },
    };
  } catch (error) {
    return { invalid: (error as Error).message };
  }
}

describe('decodeReview and verifyReview', () => {
  test('take and refuse answers as upstream does', () => {
    const differences: string[] = [];
    for (const line of answers) {
      if (line.code < 200 || line.code > 206 || line.code === 204 || line.body === '') continue;
      const { error, invalid, response } = line;
      const expected =
        error !== undefined
          ? { error }
          : invalid !== undefined
            ? { invalid }
            : { response: { ...response, Patch: response?.['Patch'] ?? '' } };
      const outcome = outcomeOf(line);
      try {
        assert.deepEqual(outcome, expected);
      } catch {
        differences.push(
          `${line.version} ${line.mutating} ${line.body}\n  ${JSON.stringify(outcome)}\n  ${JSON.stringify(expected)}`,
        );
      }
    }
    assert.deepEqual(differences, []);
  });
});
