import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { describe, test } from 'node:test';

/** What a process with the flags tells before and after it forgets them. */
function tell(flags: readonly string[]): { readonly tags: number[]; readonly depths: number[]; readonly gc: string } {
  const module = new URL('read-flags.ts', import.meta.url).href;
  const script = `import { cachedDataVersionTag } from 'node:v8';
    import { forgetReadFlags } from ${JSON.stringify(module)};
    const depth = () => { let levels = 0; const deeper = () => { levels++; deeper(); };
      try { deeper(); } catch { return levels; } };
    const [tag, levels] = [cachedDataVersionTag(), depth()];
    forgetReadFlags();
    const told = { tags: [tag, cachedDataVersionTag()], depths: [levels, depth()], gc: typeof gc };
    console.log(JSON.stringify(told));`;
  const argv = [...flags, '--import', 'tsx', '--input-type=module', '-e', script];
  return JSON.parse(execFileSync(process.execPath, argv, { encoding: 'utf8' })) as ReturnType<typeof tell>;
}

describe('forgetReadFlags', () => {
  test('lets the process take the code caches of one without flags, and keeps its stack and its gc()', () => {
    const usual = tell([]);
    const { tags, depths, gc } = tell(['--stack-size=4000', '--expose-gc', '--max-semi-space-size=8']);
    assert.notEqual(tags[0], usual.tags[0]);
    assert.equal(tags[1], usual.tags[0]);
    assert.equal(usual.tags[1], usual.tags[0]);
    assert.ok(Math.min(...depths) > 3 * Math.max(...usual.depths), depths.join(' '));
    assert.deepEqual([usual.gc, gc], ['undefined', 'function']);
  });
});
