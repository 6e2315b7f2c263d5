import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { LogLevels } from './log-levels.ts';
import { createLogger } from './logger.ts';

const nowUs = (): number => new Date(2026, 10, 21, 3, 25, 27, 123).getTime() * 1000 + 456;

describe('createLogger', () => {
  test('writes text lines in the form of klog, and leaves out levels above -v', () => {
    let text = '';
    const logger = createLogger({ level: 2, format: 'text', write: (line) => (text += line), nowUs });
    logger.info(3, 'not this');
    logger.info(2, 'Forbidden', { URI: '/api', code: 403, gone: undefined, lines: 'a\nb\n', list: ['a', 'b'] });
    logger.error('failed "badly"', new Error('boom'));
    const pid = String(process.pid).padStart(7);
    const at = `1121 03:25:27.123456 ${pid} logger.test.ts`;
    assert.equal(
      text,
      `I${at}:13] "Forbidden" URI="/api" code=403 lines=<\n\ta\n\tb\n > list=["a","b"]\n` +
        `E${at}:14] "failed \\"badly\\"" err="boom"\n`,
    );
  });

  test('writes JSON lines with time, place, level and fields', () => {
    let text = '';
    const logger = createLogger({ format: 'json', write: (line) => (text += line), nowUs });
    logger.info(0, 'hello', { a: 'b' });
    logger.warning('beware');
    logger.error('failed', 'no reason');
    const ts = nowUs() / 1000;
    assert.deepEqual(
      text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
      [
        { ts, caller: 'observability/logger.test.ts:27', msg: 'hello', v: 0, a: 'b' },
        { ts, caller: 'observability/logger.test.ts:28', msg: 'beware', v: 0 },
        { ts, caller: 'observability/logger.test.ts:29', msg: 'failed', err: 'no reason' },
      ],
    );
  });

  test('writes more of a file that --vmodule names, and follows a level that changes', () => {
    const lines: string[] = [];
    const write = (line: string): void => void lines.push(/"(.*?)"/.exec(line)?.[1] ?? '');
    const of = (levels: LogLevels): ReturnType<typeof createLogger> => createLogger({ levels, format: 'text', write });
    const named = of(new LogLevels(0, [['log*.test', 2]]));
    named.info(2, 'named');
    named.info(3, 'too detailed');
    assert.deepEqual([named.enabled(2), named.enabled(3)], [true, false]);
    of(new LogLevels(0, [['other', 9]])).info(1, 'not named');
    const changing = of(new LogLevels(0));
    changing.info(1, 'before');
    changing.levels.level = 1;
    changing.info(1, 'after');
    assert.deepEqual(lines, ['named', 'after']);
  });
});
