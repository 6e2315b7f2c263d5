import assert from 'node:assert/strict';
import { test } from 'node:test';
import { goQuery, goQueryOf } from './go-query.ts';

test('a query is escaped as Go escapes it', () => {
  assert.equal(goQuery(new URLSearchParams([['a', "it's(a)*b!~ c"]])), 'a=it%27s%28a%29%2Ab%21~+c');
});

test('values of a key keep their bytes, and broken parts are passed over', () => {
  assert.equal(
    goQueryOf('command=%FF&stdin=1&command=a+b&c%6Fmmand=%c3%a4&command&command=x;y&command=%zz', 'command'),
    'command=%FF&command=a+b&command=%C3%A4&command=',
  );
});
