import type { Step } from './steps.ts';

/** What a plugin of v1 goes through while servers run. */
export const v1Steps: readonly Step[] = [
  { name: 'v1 runs', act: () => {}, until: 'well' },
  { name: 'v1 killed', act: (plugin) => plugin.kill(), until: 'ill' },
  { name: 'v1 started again', act: (plugin) => plugin.start(), until: 'well' },
  { name: 'v1 slower than its time', act: (plugin) => plugin.set({ delayMs: 3_000 }), until: 'ill' },
  { name: 'v1 fails to decrypt', act: (plugin) => plugin.set({ failing: 'Decrypt' }), until: 'ill' },
  { name: 'v1 fails to encrypt', act: (plugin) => plugin.set({ failing: 'Encrypt' }), until: 'ill' },
  { name: 'v1 with another key', act: (plugin) => plugin.set({ failing: '', keyId: '2' }), until: 'well' },
];
