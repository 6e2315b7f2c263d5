import type { GoPlugin } from './plugin.ts';
import type { RunningServer } from './servers.ts';
import { writes, writesBy, type Step } from './steps.ts';

const settledMs = 10_000;

/** What a plugin of v2 goes through while servers run. */
export const v2Steps: readonly Step[] = [
  { name: 'runs', act: () => {}, until: 'well' },
  { name: 'killed', act: (plugin) => plugin.kill(), until: 'ill' },
  { name: 'started again', act: (plugin) => plugin.start(), until: 'well' },
  {
    name: 'slow, with another key',
    act: (plugin) => plugin.set({ keyId: '2', delayMs: 300 }),
    until: (server) => writesBy(server, '2'),
  },
  { name: 'slower than its time', act: (plugin) => plugin.set({ delayMs: 3_000 }), until: 'ill' },
  { name: 'quick again', act: (plugin) => plugin.set({}), until: 'well', look: 'health' },
  { name: 'says it is unhealthy', act: (plugin) => plugin.set({ healthz: 'sick' }), until: 'ill' },
  { name: 'healthy again', act: (plugin) => plugin.set({ healthz: 'ok' }), until: 'well', look: 'health' },
  { name: 'of another version', act: (plugin) => plugin.set({ version: 'v2beta1' }), until: 'ill', look: 'health' },
  { name: 'of an unknown version', act: (plugin) => plugin.set({ version: 'v3' }), until: 'ill', look: 'health' },
  {
    name: 'without a key id, and unhealthy',
    act: (plugin) => plugin.set({ version: 'v2', keyId: '', healthz: 'sick' }),
    until: 'ill',
  },
  {
    name: 'encrypts with another key than it says',
    act: (plugin) => plugin.set({ healthz: 'ok', keyId: '3', encryptKeyId: '2' }),
    until: 'ill',
  },
  {
    name: 'fails to tell its status',
    act: (plugin) => plugin.set({ keyId: '2', failing: 'Status' }),
    until: 'ill',
    look: 'health',
  },
  { name: 'fails to encrypt, with the known key', act: (plugin) => plugin.set({ failing: 'Encrypt' }), until: 'well' },
  {
    name: 'fails to encrypt, with a new key',
    act: (plugin) => plugin.set({ keyId: '4', encryptKeyId: '4' }),
    until: 'ill',
  },
  {
    name: 'encrypts with the new key',
    act: (plugin) => plugin.set({ failing: '' }),
    until: (server) => writesBy(server, '4'),
  },
];

interface Restart {
  /** While no server runs. */
  readonly before: (plugin: GoPlugin) => Promise<void> | void;
  readonly steps: readonly Step[];
}

/** Servers that were started without the plugin, or with one that does not decrypt. */
export const restarts: readonly Restart[] = [
  {
    before: (plugin) => plugin.kill(),
    steps: [
      { name: 'away at the start', act: () => {}, until: settled() },
      { name: 'comes after the start', act: (plugin) => plugin.start(), until: isReady },
    ],
  },
  {
    before: (plugin) => plugin.set({ failing: 'Decrypt' }),
    steps: [
      { name: 'does not decrypt at the start', act: () => {}, until: settled() },
      { name: 'decrypts after the start', act: (plugin) => plugin.set({ failing: '' }), until: isReady },
    ],
  },
];

/** Whether what fails of a server that serves has been the same for a time. */
function settled(): (server: RunningServer) => Promise<boolean> {
  const seen = new Map<string, { readonly failing: string; readonly sinceMs: number }>();
  return async ({ name, ask }) => {
    if ((await ask('GET', '/api/v1/configmaps')).status !== 200) return false;
    const { status, body } = await ask('GET', '/readyz?verbose');
    const lines = String(body).split('\n');
    const failing = `${status} ${lines.filter((line) => line.startsWith('[-]')).join(' ')}`;
    const before = seen.get(name);
    if (before?.failing !== failing) seen.set(name, { failing, sinceMs: performance.now() });
    return before?.failing === failing && performance.now() - before.sinceMs > settledMs;
  };
}

async function isReady({ ask }: RunningServer): Promise<boolean> {
  return (await ask('GET', '/readyz')).status === 200;
}

/** Takes longer than the key of writes lives without the plugin. */
export const expirySteps: readonly Step[] = [
  { name: 'killed for long', act: (plugin) => plugin.kill(), until: async (server) => !(await writes(server)) },
  {
    name: 'back after long',
    act: (plugin) => plugin.start(),
    // Here other processes than the one that writes may have to ask the plugin again.
    until: async (server) => (await writes(server)) && isReady(server),
  },
];
