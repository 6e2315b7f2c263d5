import { boolKind, durationKind, intKind, stringKind } from './flag-kinds.ts';
import { flag } from './flag-set.ts';

const section = 'Quarterdeck';

/** Flags of the backups of the embedded store that the launcher makes. None of them is a flag of kube-apiserver. */
export const snapshotFlags = {
  snapshotInterval: flag(durationKind, section, 0, 'Time between snapshots of the embedded store; 0: none are made.'),
  snapshotRetention: flag(
    intKind,
    section,
    7,
    'How many snapshots are kept; older ones are removed after a new one is whole.',
  ),
  snapshotDir: flag(
    stringKind,
    section,
    '',
    'Folder of the snapshots. Without it, snapshots in --data-dir; another disk is better.',
  ),
  withPki: flag(
    boolKind,
    section,
    false,
    'Whether keys and certificates are saved beside each snapshot, in a folder that this user alone may read.',
  ),
};
