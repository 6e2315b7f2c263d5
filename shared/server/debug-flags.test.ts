import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { LogLevels } from '#shared/observability/log-levels.ts';
import type { DebugPages } from '#shared/observability/profiles/debug-page.ts';
import { flagPages } from './debug-flags.ts';

async function ask(pages: DebugPages, method: string, body: string): Promise<object> {
  const query = new URLSearchParams();
  const { signal } = new AbortController();
  const answer = await pages({ method, path: '/debug/flags/v', query, body: async () => body, signal });
  return { status: answer?.status, body: answer?.body };
}

describe('/debug/flags/v', () => {
  test('sets the level of this process and of the others', async () => {
    const [levels, elsewhere] = [new LogLevels(0), [] as number[]];
    const pages = flagPages(levels, async (level) => void elsewhere.push(level));
    const body = 'successfully set klog.logging.verbosity to 4\n';
    assert.deepEqual(await ask(pages, 'PUT', '4'), { status: 200, body });
    assert.deepEqual([levels.level, elsewhere], [4, [4]]);
  });

  test('refuses other methods, and what is no level', async () => {
    const levels = new LogLevels(1);
    const pages = flagPages(levels);
    assert.deepEqual(await ask(pages, 'GET', ''), { status: 406, body: 'unsupported http method\n' });
    const faults = {
      a: 'strconv.ParseUint: parsing "a": invalid syntax',
      '4294967296': 'strconv.ParseUint: parsing "4294967296": value out of range',
      '2147483648':
        'failed set klog.logging.verbosity 2147483648: strconv.ParseInt: parsing "2147483648": value out of range',
    };
    for (const [text, body] of Object.entries(faults))
      assert.deepEqual(await ask(pages, 'PUT', text), { status: 400, body: `${body}\n` });
    assert.equal(levels.level, 1);
  });
});
