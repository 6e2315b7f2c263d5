import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ownProcessMark, processActivity } from './process-activity.ts';

describe('processActivity', () => {
  test('tells a working, a stopped and an ended process apart', async () => {
    const own = ownProcessMark();
    if (own === undefined) return assert.notEqual(process.platform, 'linux', 'only Linux tells');
    assert.equal(processActivity(own)?.stopped, false);
    assert.equal(processActivity({ ...own, startTicks: `${own.startTicks}0` }), undefined);
    assert.equal(processActivity({ ...own, bootId: 'another machine' }), undefined);
    const child = spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' });
    const gone = once(child, 'exit');
    const pid = child.pid ?? 0;
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const mark = { pid, bootId: own.bootId, startTicks: stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '' };
    const ticks = (): number => processActivity(mark)?.cpuTicks ?? -1;
    // As long as a busy machine takes to give it a tick.
    const first = ticks();
    while (ticks() <= first) await sleep(5);
    child.kill('SIGSTOP');
    while (processActivity(mark)?.stopped !== true) await sleep(5);
    child.kill('SIGKILL');
    await gone;
    assert.equal(processActivity(mark), undefined);
  });
});
