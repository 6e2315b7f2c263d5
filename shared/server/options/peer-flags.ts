import { durationKind, stringKind } from './flag-kinds.ts';
import { flag } from './flag-set.ts';

const misc = 'Misc';

/** Flags of servers beside this one. */
export const peerFlags = {
  coordinatedLeadershipLeaseDuration: flag(
    durationKind,
    misc,
    15_000,
    'Time after which a lease of coordinated leader election is lost.',
  ),
  coordinatedLeadershipRenewDeadline: flag(
    durationKind,
    misc,
    10_000,
    'Time within which such a lease must be renewed.',
  ),
  coordinatedLeadershipRetryPeriod: flag(
    durationKind,
    misc,
    2_000,
    'Time between attempts to take or renew such a lease.',
  ),
  peerAdvertiseIp: flag(stringKind, misc, '', 'Address at which other servers of the cluster reach this one.'),
  peerAdvertisePort: flag(stringKind, misc, '', 'Port at which other servers of the cluster reach this one.'),
  peerCaFile: flag(stringKind, misc, '', 'CAs (PEM) of the serving certificates of the other servers.'),
};
