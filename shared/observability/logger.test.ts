import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createLogger } from './logger.ts';

const now = (): Date => new Date(2026, 10, 21, 3, 25, 27, 123);

describe('createLogger', () => {
  test('writes text lines in the form of klog, and leaves out levels above -v', () => {
    let text = '';
    const logger = createLogger({ level: 2, format: 'text', write: (line) => (text += line), now });
    logger.info(3, 'not this');
    logger.info(2, 'Forbidden', { URI: '/api', code: 403, gone: undefined });
    logger.error('failed "badly"', new Error('boom'));
    const pid = String(process.pid).padStart(7);
    assert.equal(
      text,
      `I1121 03:25:27.123000 ${pid} quarterdeck] "Forbidden" URI="/api" code=403\nE1121 03:25:27.123000 ${pid} quarterdeck] "failed \\"badly\\"" err="boom"\n`,
    );
  });

  test('writes JSON lines with time, level and fields', () => {
    let text = '';
    createLogger({ level: 0, format: 'json', write: (line) => (text += line), now }).info(0, 'hello', { a: 'b' });
    assert.deepEqual(JSON.parse(text), { ts: now().getTime(), caller: 'quarterdeck', msg: 'hello', v: 0, a: 'b' });
  });
});
