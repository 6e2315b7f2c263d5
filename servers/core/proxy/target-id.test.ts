import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseTargetId } from './target-id.ts';

describe('parseTargetId', () => {
  test('parses a name with optional scheme and port, and refuses anything else', () => {
    assert.deepEqual(parseTargetId('a'), { scheme: '', name: 'a', port: '' });
    assert.deepEqual(parseTargetId('a:80'), { scheme: '', name: 'a', port: '80' });
    assert.deepEqual(parseTargetId('a:'), { scheme: '', name: 'a', port: '' });
    assert.deepEqual(parseTargetId('https:a:web'), { scheme: 'https', name: 'a', port: 'web' });
    assert.deepEqual(parseTargetId(':a:'), { scheme: '', name: 'a', port: '' });
    for (const wrong of ['', ':', '::', ':80', 'ftp:a:80', 'HTTP:a:80', 'https::80', 'a:b:c:d', 'http:a:80:'])
      assert.equal(parseTargetId(wrong), undefined, wrong);
  });
});
