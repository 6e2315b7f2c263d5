import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Findings } from './findings.ts';
import { compareOverOneStore } from './one-store.ts';
import type { Part, PartOptions } from './part.ts';
import { GoPlugin, type KmsVersion } from './plugin.ts';
import { endContestants, flagsFor, secrets, startServer, threeContestants, type RunningServer } from './servers.ts';
import { awaited, play, type Setting, type Step } from './steps.ts';
import { v1Steps } from './v1-steps.ts';
import { expirySteps, restarts, v2Steps } from './v2-steps.ts';

export const parts: Readonly<Record<string, Part>> = {
  v2: (options) => withThree(options, 'v2', ({ play }) => play(v2Steps)),
  expiry: async (options) => {
    if (!options.isShort) await withThree(options, 'v2', ({ play }) => play(expirySteps));
  },
  restarts: (options) =>
    withThree(options, 'v2', async ({ plugin, play, restart }) => {
      for (const { before, steps } of restarts) {
        await restart(() => before(plugin));
        await play(steps);
      }
    }),
  'one-store': async (options) => {
    for (const version of ['v2', 'v1'] as const) {
      const folder = join(options.folder, version);
      mkdirSync(folder);
      await compareOverOneStore({ ...options, folder }, version);
    }
  },
  v1: (options) => withThree(options, 'v1', ({ play }) => play(v1Steps)),
};

interface Stage {
  readonly plugin: GoPlugin;
  readonly play: (steps: readonly Step[]) => Promise<void>;
  /** Does something while no server runs. */
  readonly restart: (meanwhile: () => Promise<void> | void) => Promise<void>;
}

/** Starts the three with a plugin, and with a Secret that was written while all was well. */
async function withThree(
  options: PartOptions,
  version: KmsVersion,
  work: (stage: Stage) => Promise<void>,
): Promise<void> {
  const plugin = new GoPlugin(options.program, version, options.folder);
  await plugin.start();
  const contestants = await threeContestants(options.folder);
  const flags = flagsFor(plugin, version, options.folder);
  const start = (): Promise<RunningServer[]> => Promise.all(contestants.map((one) => startServer(one, flags)));
  let servers = await start();
  const close = async (): Promise<void> => void (await Promise.all(servers.map((server) => server.close())));
  try {
    await Promise.all(servers.map((server) => awaited('start', server, () => isCreated(server, 'kept'))));
    await work({
      plugin,
      play: (steps) =>
        playAll(
          steps,
          { plugin, servers, check: version === 'v1' ? 'kms-provider-0' : 'kms-providers', read: ['kept'] },
          options.findings,
        ),
      async restart(meanwhile) {
        await close();
        await meanwhile();
        servers = await start();
      },
    });
  } finally {
    await close();
    await plugin.kill();
    await endContestants(contestants);
  }
}

async function playAll(steps: readonly Step[], setting: Setting, findings: Findings): Promise<void> {
  for (const step of steps) {
    const [theirs, ...ours] = await play(step, setting);
    for (const [at, seen] of ours.entries())
      findings.compare(`${step.name}: ${setting.servers[at + 1]?.name}`, theirs ?? new Map(), seen);
    console.log(`${step.name}: ${findings.complaints.length} differ so far`);
  }
}

async function isCreated({ ask }: RunningServer, name: string): Promise<boolean> {
  if ((await ask('GET', '/readyz')).status !== 200) return false;
  return [201, 409].includes((await ask('POST', secrets, { metadata: { name }, stringData: { tag: 'x' } })).status);
}
