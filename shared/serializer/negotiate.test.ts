import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
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

describe('negotiateOutput', () => {
  test('selects the first media type without an Accept header or by a wildcard', () => {
    assert.equal(negotiateOutput(undefined).mediaType, 'application/json');
    assert.equal(negotiateOutput('*/*').mediaType, 'application/json');
    assert.equal(negotiateOutput('application/*').mediaType, 'application/json');
  });

  test('prefers an explicit media type to a wildcard', () => {
    assert.equal(
      negotiateOutput('application/json;q=0.1, application/vnd.kubernetes.protobuf').mediaType,
      'application/vnd.kubernetes.protobuf',
    );
    assert.equal(negotiateOutput('*/*,application/yaml').mediaType, 'application/yaml');
  });
});

describe('parseAccept', () => {
  test('sorts clauses as goautoneg does', () => {
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
});

describe('negotiateOutput with transforms', () => {
  test("selects kubectl's Table where it is served, otherwise the plain object", () => {
    const accept =
      'application/json;as=Table;v=v1;g=meta.k8s.io,application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json';
    assert.deepEqual(negotiateOutput(accept, builtinMediaTypes, allTransforms).transform, {
      kind: 'Table',
      group: 'meta.k8s.io',
      version: 'v1',
    });
    assert.equal(negotiateOutput(accept, builtinMediaTypes, noTransforms).transform, undefined);
  });

  test('rejects a Table in protobuf, but allows PartialObjectMetadataList', () => {
    const protobuf = 'application/vnd.kubernetes.protobuf;g=meta.k8s.io;v=v1;as=';
    assert.equal(refusal(() => negotiateOutput(`${protobuf}Table`, builtinMediaTypes, allTransforms)).code, 406);
    assert.equal(
      negotiateOutput(`${protobuf}PartialObjectMetadataList`, builtinMediaTypes, allTransforms).transform?.kind,
      'PartialObjectMetadataList',
    );
  });
});

describe('media types that are not served', () => {
  test('are rejected with a list of those that are', () => {
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
});

describe('negotiateInput', () => {
  test('looks at the media type only, and rejects unknown or malformed ones with 415', () => {
    assert.equal(negotiateInput(undefined), 'application/json');
    assert.equal(negotiateInput('Application/JSON; charset=utf-8'), 'application/json');
    assert.equal(refusal(() => negotiateInput('application/json; x')).code, 415);
    assert.equal(
      refusal(() => negotiateInput('text/plain')).message,
      'the body of the request was in an unknown format - accepted media types include: application/json, application/yaml, application/vnd.kubernetes.protobuf',
    );
  });
});

describe('parameters of a media type', () => {
  // Answers of kube-apiserver, recorded by test/robustness/attacks/identity/header-bytes/run.ts --record.
  test('are read as by mime.ParseMediaType', () => {
    for (const good of [
      ';',
      ' ; ',
      '; charset="a:b"',
      '; charset="a\\"b"',
      '; a=1; A=1',
      '; a=1;',
      ';a = 1',
      '\xc2\xa0; a=1',
    ])
      assert.equal(negotiateInput(`application/json${good}`), 'application/json', good);
    for (const bad of [
      ';;',
      '; a=',
      '; a=b:c',
      '; a="b',
      '; a=1; a=2',
      '; a=1 b=2',
      '; =1',
      '; a=1\xa0',
      '; \xc3\xa4=1',
    ])
      assert.equal(refusal(() => negotiateInput(`application/json${bad}`)).code, 415, bad);
  });
});

describe('a Content-Type of a megabyte', () => {
  test('is read in time that is linear in its length', () => {
    const spaces = ' '.repeat(2 ** 20);
    for (const end of ['x', ';', `;${spaces}x`, ';a', '="', '"'])
      for (const begin of ['', '; a=1', '; a="'])
        try {
          negotiateInput(`application/json${begin}${spaces}${end}`);
        } catch {
          // Refused or not, it is read.
        }
  });
});

describe('isPrettyRequest', () => {
  test('returns true for curl unless the pretty parameter says otherwise', () => {
    assert.equal(isPrettyRequest(null, 'curl/8'), true);
    assert.equal(isPrettyRequest('0', 'curl/8'), false);
    assert.equal(isPrettyRequest('true', undefined), true);
    assert.equal(isPrettyRequest('yes', 'kubectl'), false);
  });
});
