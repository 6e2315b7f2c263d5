import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Group, Place } from '#test/robustness/surroundings/surrounding.ts';

const workingDirectory = ({ folder }: Place): string => join(folder, 'work');

export const removedFiles: Group = {
  name: 'removed files',
  rows: [
    {
      name: 'whose working directory is removed',
      workingDirectory,
      prepare: (place) => mkdirSync(workingDirectory(place)),
      meanwhile: async ({ place }) => rmSync(workingDirectory(place), { recursive: true }),
      outcome: 'serves',
    },
  ],
};
