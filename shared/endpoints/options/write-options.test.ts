import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { StatusError } from '#shared/apimachinery/errors/status.ts';
import { managerOf, parseWriteOptions, type WriteOptionsKind } from './write-options.ts';

function messageOf(kind: WriteOptionsKind, query: string, isApply = false): string | undefined {
  try {
    parseWriteOptions(kind, new URLSearchParams(query), isApply);
    return undefined;
  } catch (error) {
    assert.ok(error instanceof StatusError && error.code === 422);
    return error.message.slice(`${kind}.meta.k8s.io "" is invalid: `.length);
  }
}

const tooLong = 'fieldManager: Too long: may not be more than 128 bytes';
const validations = 'supported values: "", "Ignore", "Strict", "Warn"';

// The texts are those of a kube-apiserver.
describe('parseWriteOptions', () => {
  const cases: [accepted: string, refused: string, message: string][] = [
    [`fieldManager=${'a'.repeat(128)}`, `fieldManager=${'a'.repeat(129)}`, tooLong],
    [`fieldManager=${'ä'.repeat(64)}`, `fieldManager=${'ä'.repeat(64)}a`, tooLong],
    [
      'fieldManager=a b',
      'fieldManager=a b%00c',
      'fieldManager: Invalid value: "a b\\x00c": invalid character U+0000 (at position 3)',
    ],
    [
      'fieldManager=ä😀',
      'fieldManager=ä%01😀%E2%80%A8',
      '[fieldManager: Invalid value: "ä\\x01😀\\u2028": invalid character U+0001 (at position 2), fieldManager: Invalid value: "ä\\x01😀\\u2028": invalid character U+2028 (at position 7)]',
    ],
    [
      'fieldValidation=Strict',
      'fieldValidation=strict',
      `fieldValidation: Unsupported value: "strict": ${validations}`,
    ],
    ['dryRun=All&dryRun=All', 'dryRun=All&dryRun=x', 'dryRun: Unsupported value: ["All","x"]: supported values: "All"'],
    [
      'fieldValidation=&fieldManager=',
      'fieldValidation=x&fieldManager=%01',
      `[fieldManager: Invalid value: "\\x01": invalid character U+0001 (at position 0), fieldValidation: Unsupported value: "x": ${validations}]`,
    ],
  ];

  for (const [accepted, refused, message] of cases)
    test(`refuses ${message.slice(0, 80)}`, () => {
      assert.equal(messageOf('CreateOptions', accepted), undefined);
      assert.equal(messageOf('CreateOptions', refused), message);
    });

  test('refuses force unless the patch is an apply, which needs a manager', () => {
    for (const value of ['force=true', 'force=false', 'force=', 'force=x', 'force']) {
      assert.equal(
        messageOf('PatchOptions', `fieldManager=m&${value}`),
        'force: Forbidden: may not be specified for non-apply patch',
      );
      assert.equal(messageOf('PatchOptions', `fieldManager=m&${value}`, true), undefined);
    }
    for (const query of ['', 'force=true', 'fieldManager='])
      assert.equal(messageOf('PatchOptions', query, true), 'fieldManager: Required value: is required for apply patch');
  });

  test('reads what the query says, and passes it to admission', () => {
    const query = 'dryRun=All&fieldManager=m&fieldValidation=Ignore&force=true';
    assert.deepEqual(parseWriteOptions('PatchOptions', new URLSearchParams(query), true), {
      dryRun: true,
      fieldManager: 'm',
      fieldValidation: 'Ignore',
      force: true,
      asObject: {
        kind: 'PatchOptions',
        apiVersion: 'meta.k8s.io/v1',
        dryRun: ['All'],
        force: true,
        fieldManager: 'm',
        fieldValidation: 'Ignore',
      },
    });
  });

  test('without a query warns of unknown fields and stores', () => {
    const { asObject: _object, ...options } = parseWriteOptions('UpdateOptions', new URLSearchParams());
    assert.deepEqual(options, { dryRun: false, fieldManager: '', fieldValidation: 'Warn', force: false });
    const { fieldValidation } = parseWriteOptions('UpdateOptions', new URLSearchParams('pretty=true'));
    assert.equal(fieldValidation, 'Warn');
  });
});

describe('managerOf', () => {
  const managerIn = (query: string, userAgent?: string): string =>
    managerOf(parseWriteOptions('CreateOptions', new URLSearchParams(query)), userAgent);

  test('is the one that the request names, or the product of its user agent', () => {
    assert.equal(managerIn('fieldManager=m', 'kubectl/v1.36'), 'm');
    assert.equal(managerIn('', 'kubectl/v1.36 (linux)'), 'kubectl');
    assert.equal(managerIn(''), '');
    assert.equal(managerIn('', `${'a'.repeat(127)}\u0001bc`), `${'a'.repeat(127)}b`);
  });
});
