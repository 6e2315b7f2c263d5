import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, test } from 'node:test';

/** What a program that uses Steps prints, and its exit code. */
function play(body: string): { readonly status: number | null; readonly stdout: string } {
  const steps = join(import.meta.dirname, 'steps.ts');
  const program = `import { Steps } from ${JSON.stringify(steps)};
const steps = new Steps();
${body}
process.exitCode = steps.finish();`;
  return spawnSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program], { encoding: 'utf8' });
}

describe('Steps', () => {
  test('goes on after a step that failed, tells its last lines again, and ends with 1', () => {
    const { status, stdout } = play(`
await steps.run('first', 'echo begins; echo breaks >&2; exit 3', 1);
await steps.run('second', 'echo is played', 1);`);
    assert.equal(status, 1);
    assert.match(stdout, /!!! FAILED: first\n[^]*is played\n[^]*!!! FAILED: first; its last lines:\nbegins\nbreaks\n/);
    assert.match(stdout, /failed +\d+ s  first\npassed +\d+ s  second\n/);
    assert.match(stdout, /\n1 passed, 1 failed\n$/);
  });

  test('leaves out a step that may fail, and ends with 0', () => {
    const { status, stdout } = play("await steps.run('build', 'exit 3', 1, { mayFail: true });");
    assert.equal(status, 0);
    assert.match(stdout, /!!! LEFT OUT: build: it failed/);
  });

  test('fails a step whose first command of several failed', () => {
    assert.equal(play("await steps.run('pipe', 'false | cat; true', 1);").status, 1);
  });

  test('tells what was left out, and ends with 0', () => {
    const { status, stdout } = play("steps.leaveOut('helm', 'no helm on this machine');");
    assert.equal(status, 0);
    assert.match(stdout, /!!! LEFT OUT: helm: no helm on this machine/);
    assert.match(stdout, /\n0 passed, 0 failed, 1 left out\n$/);
  });

  test('ends a step that takes longer than it may, with all that it started', () => {
    const { status, stdout } = play("await steps.run('hangs', 'sleep 600 & wait', 1, { timeoutMs: 300 });");
    assert.equal(status, 1);
    assert.match(stdout, /!!! ENDED: hangs took more than/);
  });
});
