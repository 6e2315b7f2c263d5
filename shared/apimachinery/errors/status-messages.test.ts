import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { genericServerMessage } from './status-messages.ts';

// As apimachinery/pkg/api/errors NewGenericServerResponse.
describe('genericServerMessage', () => {
  for (const [code, reason] of [
    [400, 'BadRequest'],
    [401, 'Unauthorized'],
    [403, 'Forbidden'],
    [404, 'NotFound'],
    [405, 'MethodNotAllowed'],
    [406, 'NotAcceptable'],
    [409, 'Conflict'],
    [415, 'UnsupportedMediaType'],
    [422, 'Invalid'],
    [429, 'TooManyRequests'],
    [499, ''],
    [500, 'InternalError'],
    [502, 'InternalError'],
    [503, 'ServiceUnavailable'],
    [504, 'Timeout'],
    [505, 'InternalError'],
  ] as const)
    test(`returns the reason ${JSON.stringify(reason)} for code ${code}`, () =>
      assert.equal(genericServerMessage(code, 'GET', 'text').reason, reason));

  test('returns AlreadyExists for a conflict of a POST', () =>
    assert.equal(genericServerMessage(409, 'POST', '').reason, 'AlreadyExists'));

  test('quotes the text of an internal error', () =>
    assert.equal(
      genericServerMessage(500, 'GET', 'a "b"').message,
      'an error on the server ("a \\"b\\"") has prevented the request from succeeding',
    ));

  test('names an unknown code', () =>
    assert.equal(
      genericServerMessage(418, 'GET', '').message,
      'the server responded with the status code 418 but did not return more information',
    ));

  test('replaces an empty or unknown text of a 406', () => {
    const { message } = genericServerMessage(406, 'GET', '');
    assert.equal(message, 'the server was unable to respond with a content type that the client supports');
    assert.equal(genericServerMessage(406, 'GET', 'unknown').message, message);
    assert.equal(genericServerMessage(406, 'GET', 'text').message, 'text');
  });
});
