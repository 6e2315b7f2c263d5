import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { CollectedAnswer } from '#shared/request/collect-answer.ts';
import { readImageReview } from './review-answer.ts';

// The texts are those of kube-apiserver in test/conformance/admission-plugins.

function answer(body: string, status = 200, type = 'application/json'): CollectedAnswer {
  return { status, headers: { 'content-type': type }, body: Buffer.from(body) };
}

const onlyPods = (_group: string, _version: string, kind: string): boolean => kind === 'Pod';

describe('readImageReview', () => {
  test('reads the status of a review, with or without its kind', () => {
    const status = { allowed: true, reason: '', auditAnnotations: new Map([['a', 'b']]) };
    const said = { status: { allowed: true, auditAnnotations: { a: 'b' } } };
    const named = { kind: 'ImageReview', apiVersion: 'imagepolicy.k8s.io/v1alpha1', ...said };
    assert.deepEqual(readImageReview(answer(JSON.stringify(said)), onlyPods), status);
    assert.deepEqual(readImageReview(answer(JSON.stringify(named)), onlyPods), status);
  });

  test('refuses other objects and empty bodies', () => {
    assert.throws(() => readImageReview(answer('{"kind":"Pod","apiVersion":"v1"}'), onlyPods), {
      message: 'converting (v1.Pod) to (v1alpha1.ImageReview): unknown conversion',
    });
    assert.throws(() => readImageReview(answer(''), onlyPods), {
      message: '0-length response with status code: 200 and content type: application/json',
    });
  });
});
