import type { Step } from '#test/e2e/kubectl/step.ts';
import { access } from './access.ts';
import { ending } from './ending.ts';
import { generators } from './generators.ts';
import { reading } from './reading.ts';
import { setup } from './setup.ts';
import { writing } from './writing.ts';

/** The whole list in its order; later steps lean on what earlier ones created. */
export const scenario: readonly Step[] = [...setup, ...reading, ...generators, ...writing, ...access, ...ending];
