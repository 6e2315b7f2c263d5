import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseSpelled, plainNumbers, spelledText, spelling } from './spelled-numbers.ts';

test('numbers that Go prints otherwise keep their text, others are numbers', () => {
  const text = '{"a":[1,1.5,1.0,1e3,-0,false,null,"1.0"],"b":12345678901234567,"c":1e400}';
  const value = parseSpelled(text) as { a: string[]; b: bigint; c: string };
  assert.deepEqual(value.a.map((item) => spelling(item) ?? item), [1, 1.5, '1.0', '1e3', '-0', false, null, '1.0']);
  assert.deepEqual(value.a.map((item) => spelling(item) !== undefined), [false, false, true, true, true, false, false, false]);
  assert.equal(value.b, 12345678901234567n);
  assert.equal(spelledText(JSON.stringify(value.a)), '[1,1.5,1.0,1e3,-0,false,null,"1.0"]');
  assert.deepEqual(plainNumbers(parseSpelled('[1.0,{"a":-0},[1e3]]')), [1, { a: 0 }, [1000]]);
  assert.equal(plainNumbers(parseSpelled('1.0')), 1);
});
