import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { ConfigurationError } from '#shared/configuration/decode-configuration.ts';
import { loadPolicyFile, readPolicy } from './load-policy.ts';

interface RecordedRead {
  readonly text: string;
  readonly strict?: string;
  readonly error?: string;
}

const { reads } = JSON.parse(readFileSync(new URL('testdata/recorded.json', import.meta.url), 'utf8')) as {
  readonly reads: readonly RecordedRead[];
};
const fallback = 'Audit policy contains errors, falling back to lenient decoding: ';

function outcome(text: string): Pick<RecordedRead, 'strict' | 'error'> {
  const warnings: string[] = [];
  try {
    readPolicy(Buffer.from(text), (message) => warnings.push(message.replace(fallback, '')));
  } catch (error) {
    assert.ok(error instanceof ConfigurationError);
    return { error: error.message };
  }
  return warnings[0] === undefined ? {} : { strict: warnings[0] };
}

describe('reader of audit policies', () => {
  test('accepts, warns of and refuses texts in the words of upstream', () => {
    for (const { text, strict, error } of reads) {
      const want = error !== undefined ? { error } : strict !== undefined ? { strict } : {};
      assert.deepEqual(outcome(text), want, JSON.stringify(text));
    }
  });

  test('names the file that cannot be read, or is no policy', () => {
    const load = (file: string) => () => loadPolicyFile(file, () => undefined);
    assert.throws(load('/no/file'), {
      message:
        'loading audit policy file: failed to read file path "/no/file": open /no/file: no such file or directory',
    });
    assert.throws(load('/dev/null'), {
      message:
        'loading audit policy file: unknown group version field audit.k8s.io/__internal, Kind=Policy in policy: from file /dev/null',
    });
  });
});
