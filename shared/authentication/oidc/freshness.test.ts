import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { freshMs } from './freshness.ts';

const date = 'Sun, 06 Nov 1994 08:49:37 GMT';
const nowMs = Date.parse(date);

describe('freshMs', () => {
  // RFC 9111, section 4.2.1: which header counts first.
  for (const [text, headers, expected] of [
    ['s-maxage before max-age', { 'cache-control': 'max-age=5, s-maxage=7' }, 7000],
    ['max-age before Expires', { 'cache-control': 'public, Max-Age="5"', expires: date, date }, 5000],
    ['Expires minus Date', { expires: 'Sun, 06 Nov 1994 08:50:37 GMT', date }, 60_000],
    ['Expires in the past', { expires: 'Sun, 06 Nov 1994 08:40:00 GMT', date }, 0],
    ['Expires: 0', { expires: '0', date }, 0],
    ['a tenth of the age', { 'last-modified': 'Sun, 06 Nov 1994 08:39:37 GMT' }, 60_000],
    ['no header', {}, 0],
    ['a Date that is none', { 'cache-control': 'max-age=5', date: 'today' }, 0],
  ] as const)
    test(`counts ${text}`, () => assert.equal(freshMs(headers, nowMs), expected));
});
