import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { controllerRevisionStrategy } from '#servers/core/apis/apps/controller-revisions.ts';
import { InProcess } from './in-process.ts';

const server = new InProcess([
  { group: 'apps', resource: 'controllerrevisions', strategy: controllerRevisionStrategy },
]);
after(() => server.close());

const collection = '/apis/apps/v1/namespaces/a/controllerrevisions';

/**
 * JSON that a ControllerRevision keeps, how it is printed, and whether a merge patch of a label, the same text again,
 * the text without blanks, a JSON patch and a strategic patch leave its bytes alone, as kube-apiserver v1.36.3 answers.
 */
const kept: readonly (readonly [text: string, printed: string, ...left: boolean[]])[] = [
  ['{"a":1}', '{"a":1}', true, true, true, true, true],
  ['{"a": 1}', '{"a":1}', false, true, false, false, false],
  ['{"a":\n1}', '{"a":1}', false, true, false, false, false],
  ['{"a":1.0}', '{"a":1.0}', true, true, true, true, false],
  ['{"a":1e2}', '{"a":1e2}', true, true, true, true, false],
  ['{"a":0.1e-5}', '{"a":0.1e-5}', true, true, true, true, false],
  [String.raw`{"a":"\u0041\/"}`, String.raw`{"a":"\u0041\/"}`, true, true, true, true, false],
  ['{"a":1,"a":2}', '{"a":1,"a":2}', true, true, true, true, false],
  ['{"a":"<>&"}', String.raw`{"a":"\u003c\u003e\u0026"}`, false, true, true, false, false],
  [String.raw`{"a":"\u003c"}`, String.raw`{"a":"\u003c"}`, true, true, true, true, true],
];

describe('raw JSON in a ControllerRevision', () => {
  for (const [at, [text, printed, ...left]] of kept.entries()) {
    test(`is kept as it was sent: ${text}`, async () => {
      const name = `a${at}`;
      const body = (data: string): string => `{"metadata":{"name":"${name}"},"revision":1,"data":${data}}`;
      const made = await server.send('POST', collection, body(text));
      assert.equal(made.status, 201);
      assert.ok(made.text.includes(`"data":${printed},"revision":1}`), made.text);
      const path = `${collection}/${name}`;
      const labels = (value: string): object => ({ metadata: { labels: { a: value } } });
      const answers = [
        await server.send('PATCH', path, labels('b')),
        await server.send('PUT', path, body(text)),
        await server.send('PUT', path, body(text.replaceAll(/\s/g, ''))),
        await server.send('PATCH', path, [{ op: 'add', path: '/metadata/annotations', value: { a: 'b' } }], {
          'content-type': 'application/json-patch+json',
        }),
        await server.send('PATCH', path, labels('c'), { 'content-type': 'application/strategic-merge-patch+json' }),
      ];
      assert.deepEqual(
        answers.map(({ status }) => status),
        left.map((same) => (same ? 200 : 422)),
      );
      assert.ok((await server.send('GET', path)).text.includes(`"data":${printed},`));
    });
  }
});
