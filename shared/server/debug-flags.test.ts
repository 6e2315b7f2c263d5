import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { LogLevels } from '#shared/observability/log-levels.ts';
import type { RequestContext } from '#shared/request/request-context.ts';
import { installFlagPages } from './debug-flags.ts';
import { PathMux } from './path-mux.ts';

interface Answer {
  readonly status: number;
  readonly text: string;
}

async function ask(mux: PathMux, method: string, body: string): Promise<Answer> {
  let answer: Answer = { status: 0, text: '' };
  const exchange = {
    method,
    readBody: async () => Buffer.from(body),
    send: (status: number, _headers: object, text: string) => void (answer = { status, text }),
  };
  await mux.find('/debug/flags/v')?.({ exchange } as unknown as RequestContext);
  return answer;
}

describe('/debug/flags/v', () => {
  test('sets the level of this process and of the others', async () => {
    const [mux, levels, elsewhere] = [new PathMux(), new LogLevels(0), [] as number[]];
    installFlagPages(mux, levels, async (level) => void elsewhere.push(level));
    const text = 'successfully set klog.logging.verbosity to 4';
    assert.deepEqual(await ask(mux, 'PUT', '4'), { status: 200, text });
    assert.deepEqual([levels.level, elsewhere], [4, [4]]);
  });

  test('refuses other methods, and what is no level', async () => {
    const [mux, levels] = [new PathMux(), new LogLevels(1)];
    installFlagPages(mux, levels);
    assert.equal((await ask(mux, 'GET', '')).status, 406);
    const faults = {
      a: 'strconv.ParseUint: parsing "a": invalid syntax',
      '4294967296': 'strconv.ParseUint: parsing "4294967296": value out of range',
      '2147483648':
        'failed set klog.logging.verbosity 2147483648: strconv.ParseInt: parsing "2147483648": value out of range',
    };
    for (const [body, text] of Object.entries(faults))
      assert.deepEqual(await ask(mux, 'PUT', body), { status: 400, text });
    assert.equal(levels.level, 1);
  });
});
