import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Group, Place, Surrounding } from '#test/robustness/surroundings/surrounding.ts';

const workingDirectory = ({ folder }: Place): string => join(folder, 'work');

/** A server below which a part of its data directory is moved away, and back once it has said so. */
function movedAway(what: string, ...path: readonly string[]): Surrounding {
  return {
    name: `below which ${what} is moved away and back`,
    async meanwhile(server) {
      const [from, to] = [join(server.place.dataDir, ...path), join(server.place.folder, 'away')];
      renameSync(from, to);
      await server.untilSaid(/was removed below the running servers: .*(put it back|move it back|end all servers)/);
      renameSync(to, from);
      await server.untilSaid(/ is back/);
    },
    outcome: 'serves',
  };
}

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
    movedAway('the data directory'),
    movedAway('the database', 'store', 'store.db'),
    movedAway('the folder of keys', 'pki'),
    movedAway('the folder of sockets', 'run'),
  ],
};
