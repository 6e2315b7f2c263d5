import { chownSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { behind, type Group, type Place } from '#test/robustness/surroundings/surrounding.ts';

const uid = 54_321;
/** A user whom no file of the machine names, and who belongs to no group besides. */
const asNobody = `setpriv --reuid=${uid} --regid=${uid} --clear-groups --bounding-set=-all --inh-caps=-all --`.split(
  ' ',
);
const ownFolder = ({ folder }: Place): void => chownSync(folder, uid, uid);

export const users: Group = {
  name: 'users',
  rows: [
    {
      name: 'of a user without a name',
      needs: ['root', 'setpriv'],
      prepare: ownFolder,
      wrapper: () => asNobody,
      environment: () => ({ HOME: undefined, USER: undefined, LOGNAME: undefined }),
      outcome: 'serves',
    },
    {
      name: 'of a user who may not write below the data directory',
      needs: ['root', 'setpriv'],
      prepare: ({ folder, dataDir }) => {
        chownSync(folder, uid, uid);
        mkdirSync(join(dataDir), { mode: 0o755 });
      },
      wrapper: () => asNobody,
      outcome: 'ends',
      says: [/data/],
    },
    {
      name: 'of root without capabilities',
      needs: ['root', 'setpriv'],
      wrapper: () => ['setpriv', '--bounding-set=-all', '--inh-caps=-all', '--'],
      outcome: 'serves',
    },
    { name: 'with umask 0777', wrapper: () => behind('umask 0777'), outcome: 'serves' },
    { name: 'with umask 0', wrapper: () => behind('umask 0'), outcome: 'serves' },
    { name: 'without HOME', environment: () => ({ HOME: undefined }), outcome: 'serves' },
    { name: 'whose HOME cannot be written', environment: () => ({ HOME: '/proc/1/nothing' }), outcome: 'serves' },
  ],
};
