import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fewDescriptorsLine, watchDescriptors } from './descriptor-limit.ts';

describe('watchDescriptors', () => {
  test('says once which limit to raise while descriptors are used up', (t) => {
    t.mock.timers.enable({ apis: ['setInterval'] });
    const lines: string[] = [];
    const codes = [undefined, 'EMFILE', 'EMFILE', 'EACCES', 'ENFILE'];
    watchDescriptors(
      (line) => lines.push(line),
      (done) => done(codes.shift()),
      256,
    );
    t.mock.timers.tick(5_000);
    assert.deepEqual(lines, []);
    t.mock.timers.tick(20_000);
    assert.equal(lines.length, 1, lines.join('\n'));
    assert.match(lines[0] ?? '', /in use, this process may have 256: .*"ulimit -n".*LimitNOFILE=/);
  });
});

describe('fewDescriptorsLine', () => {
  test('names a limit that some hundred watches use up, and is silent about a usual one', () => {
    assert.match(fewDescriptorsLine(1024) ?? '', /have 1024 files and connections open.*"ulimit -n"/);
    assert.equal(fewDescriptorsLine(1_048_576), undefined);
  });
});
