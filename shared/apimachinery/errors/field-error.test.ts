import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  aggregateText,
  fieldErrorText,
  invalid,
  notSupported,
  path,
  required,
  tooLong,
  tooMany,
} from './field-error.ts';

const field = path('spec').child('ports').index(0).key('k');

describe('fieldErrorText', () => {
  for (const [title, error, text] of [
    ['a string in quotes', invalid(field, 'a"b', 'bad'), 'spec.ports[0][k]: Invalid value: "a\\"b": bad'],
    ['a number as Go prints it', invalid(field, 1e21, ''), 'spec.ports[0][k]: Invalid value: 1e+21'],
    ['an object as JSON', invalid(undefined, { a: '<' }, 'x'), '<nil>: Invalid value: {"a":"\\u003c"}: x'],
    [
      'supported values in the order given',
      notSupported(path('p'), 'x', ['b', 'a']),
      'p: Unsupported value: "x": supported values: "b", "a"',
    ],
    ['a limit of one byte', tooLong(path('p'), 'x', 1), 'p: Too long: may not be more than 1 byte'],
    ['a limit of items', tooMany(path('p'), 3, 2), 'p: Too many: 3: must have at most 2 items'],
  ] as const)
    test(`shows ${title}`, () => assert.equal(fieldErrorText(error), text));
});

describe('aggregateText', () => {
  test('lists several errors in brackets, equal ones once', () => {
    const errors = [required(path('a'), ''), required(path('a'), ''), required(path('b'), 'x')];
    assert.equal(aggregateText(errors), '[a: Required value, b: Required value: x]');
  });
});
