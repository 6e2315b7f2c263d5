import { setTimeout as pause } from 'node:timers/promises';
import { descendantsOf } from '#test/e2e/npm-start/process-tree.ts';
import type { Group, RunningServer, Surrounding } from '#test/robustness/surroundings/surrounding.ts';

const settleMs = 500;

/** Sends signals to the launcher and all its children, one process after the other. */
function signalAll({ launcher }: RunningServer, signal: NodeJS.Signals): void {
  for (const { pid } of descendantsOf(launcher.pid ?? 0)) process.kill(pid, signal);
}

const signalled = (signal: NodeJS.Signals): Surrounding => ({
  name: `that gets ${signal} in all processes`,
  meanwhile: async (server) => {
    signalAll(server, signal);
    await pause(settleMs);
  },
  outcome: 'serves',
});

export const signals: Group = {
  name: 'signals',
  rows: [
    { ...signalled('SIGUSR1'), neverSays: /Debugger/ },
    ...(['SIGPIPE', 'SIGWINCH', 'SIGCHLD', 'SIGCONT'] as const).map(signalled),
    {
      name: 'whose processes all stand still for five seconds',
      meanwhile: async (server) => {
        signalAll(server, 'SIGSTOP');
        await pause(5_000);
        signalAll(server, 'SIGCONT');
      },
      outcome: 'serves',
    },
  ],
};
