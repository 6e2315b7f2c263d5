import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StatusError } from '#shared/apimachinery/errors/status.ts';
import { parseAccept } from './accept.ts';
import {
  allTransforms,
  builtinMediaTypes,
  checkRepresentations,
  checkStreamable,
  isPrettyRequest,
  negotiateInput,
  negotiateOutput,
  negotiateStream,
  noTransforms,
  representations,
} from './negotiate.ts';

function refusal(call: () => unknown): { code: number; message: string } {
  try {
    call();
  } catch (error) {
    if (error instanceof StatusError) return { code: error.code, message: error.message };
    throw error;
  }
  throw new Error('was accepted');
}

test('no Accept header means the first media type', () => {
  assert.equal(negotiateOutput(undefined).mediaType, 'application/json');
  assert.equal(negotiateOutput('*/*').mediaType, 'application/json');
  assert.equal(negotiateOutput('application/*').mediaType, 'application/json');
});

test('a wildcard comes last', () => {
  assert.equal(
    negotiateOutput('application/json;q=0.1, application/vnd.kubernetes.protobuf').mediaType,
    'application/vnd.kubernetes.protobuf',
  );
  assert.equal(negotiateOutput('*/*,application/yaml').mediaType, 'application/yaml');
});

test('clauses stand in the order that goautoneg gives them', () => {
  // Printed by goautoneg.ParseAccept of the version that v1.36.3 uses.
  const order = (header: string): string[] => parseAccept(header).map((clause) => `${clause.type}/${clause.subtype}`);
  assert.deepEqual(order('a/b;q=0.5, text/html/x, */*, c/d'), ['c/d', '*/*', 'a/b']);
  assert.deepEqual(order('application/*, application/json;q=0.2, */*;q=0.9'), [
    'application/json',
    'application/*',
    '*/*',
  ]);
  assert.deepEqual(order('a/b/, c, *, d/e;q=x;k=v=w;y= z '), ['a/b', 'd/e', '*/*']);
});

test('kubectl is answered with a Table where there is one, else with the object', () => {
  const accept =
    'application/json;as=Table;v=v1;g=meta.k8s.io,application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json';
  assert.deepEqual(negotiateOutput(accept, builtinMediaTypes, allTransforms).transform, {
    kind: 'Table',
    group: 'meta.k8s.io',
    version: 'v1',
  });
  assert.equal(negotiateOutput(accept, builtinMediaTypes, noTransforms).transform, undefined);
});

test('a Table is never protobuf, metadata may be', () => {
  const protobuf = 'application/vnd.kubernetes.protobuf;g=meta.k8s.io;v=v1;as=';
  assert.equal(refusal(() => negotiateOutput(`${protobuf}Table`, builtinMediaTypes, allTransforms)).code, 406);
  assert.equal(
    negotiateOutput(`${protobuf}PartialObjectMetadataList`, builtinMediaTypes, allTransforms).transform?.kind,
    'PartialObjectMetadataList',
  );
});

test('what is not offered is refused with a list', () => {
  assert.deepEqual(
    refusal(() => negotiateOutput('application/json;as=Nope;g=meta.k8s.io;v=v1', builtinMediaTypes, allTransforms)),
    {
      code: 406,
      message:
        'only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf',
    },
  );
  assert.deepEqual(
    refusal(() => checkRepresentations('text/html', representations(builtinMediaTypes, true))),
    {
      code: 406,
      message:
        '406: Not Acceptable\n\nAvailable representations: application/json, application/yaml, application/vnd.kubernetes.protobuf, ' +
        'application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch',
    },
  );
  assert.equal(
    refusal(() => checkStreamable(negotiateStream('application/yaml'))).message,
    'only the following media types are accepted: application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch',
  );
});

test('bodies are known by the media type alone', () => {
  assert.equal(negotiateInput(undefined), 'application/json');
  assert.equal(negotiateInput('Application/JSON; charset=utf-8'), 'application/json');
  assert.equal(refusal(() => negotiateInput('application/json; x')).code, 415);
  assert.equal(
    refusal(() => negotiateInput('text/plain')).message,
    'the body of the request was in an unknown format - accepted media types include: application/json, application/yaml, application/vnd.kubernetes.protobuf',
  );
});

test('curl and browsers get indented JSON unless they say otherwise', () => {
  assert.equal(isPrettyRequest(null, 'curl/8'), true);
  assert.equal(isPrettyRequest('0', 'curl/8'), false);
  assert.equal(isPrettyRequest('true', undefined), true);
  assert.equal(isPrettyRequest('yes', 'kubectl'), false);
});
