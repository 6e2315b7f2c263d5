import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { StatusError } from '#shared/apimachinery/errors/status.ts';
import type { CollectedAnswer } from '#shared/request/collect-answer.ts';
import { errorOfAnswer, readImageReview } from './review-answer.ts';

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

describe('errorOfAnswer', () => {
  test('shows text of a failing webhook, which may be asked again', () => {
    const { fault, mayRetry } = errorOfAnswer(answer('out of order', 500, 'text/plain'));
    assert.equal(fault?.message, 'an error on the server ("out of order") has prevented the request from succeeding');
    assert.ok(mayRetry);
  });

  test('takes the Status of an answer as the error', () => {
    const { fault, mayRetry } = errorOfAnswer(answer('{"kind":"Status","message":"go away","code":403}', 403));
    assert.ok(fault instanceof StatusError);
    assert.deepEqual([fault.status.code, fault.message, mayRetry], [403, 'go away', false]);
  });

  test('finds none in a successful answer', () => assert.equal(errorOfAnswer(answer('{}', 201)).fault, undefined));
});
