import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { civilText, secondsOfCivil } from './civil-seconds.ts';

describe('civilText', () => {
  // What Go 1.26 formats for time.Unix of the seconds.
  for (const [seconds, text] of [
    [0, '1970-01-01T00:00:00'],
    [-62_135_596_800, '0001-01-01T00:00:00'],
    [-62_167_219_201, '-0001-12-31T23:59:59'],
    [253_402_300_799, '9999-12-31T23:59:59'],
    [253_402_304_399, '10000-01-01T00:59:59'],
    [8_640_000_000_001, '275760-09-13T00:00:01'],
    [9_007_199_254_740_993n, '285428751-11-12T07:36:33'],
    [-9_007_199_254_740_993n, '-285424812-02-20T16:23:27'],
    [9_223_372_036_854_775_807n, '292277026596-12-04T15:30:07'],
    [-9_223_372_036_854_775_808n, '292277026596-12-04T15:30:08'],
  ] as const)
    test(`prints ${seconds} as ${text}, which reads as the same`, () => {
      assert.equal(civilText(seconds), text);
      assert.equal(secondsOfCivil(`${text}Z`), seconds);
    });
});
