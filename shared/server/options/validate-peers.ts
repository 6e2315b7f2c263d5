import { featureGates } from './feature-gates.ts';
import type { ServerOptions } from './server-options.ts';

/** Errors of the flags for servers beside this one (pkg/controlplane/apiserver/options/validation.go). */
export function peerErrors(options: ServerOptions): string[] {
  const errors: string[] = [];
  if (!featureGates(options).gates.isEnabled('UnknownVersionInteroperabilityProxy')) {
    const given = {
      '--peer-ca-file': options.peerCaFile,
      '--peer-advertise-ip': options.peerAdvertiseIp,
      '--peer-advertise-port': options.peerAdvertisePort,
    };
    for (const [flag, value] of Object.entries(given))
      if (value !== '') errors.push(`${flag} requires UnknownVersionInteroperabilityProxy feature to be turned on`);
  }
  const [lease, renew, retry] = ['lease-duration', 'renew-deadline', 'retry-period'].map(
    (name) => `--coordinated-leadership-${name}`,
  );
  if (options.coordinatedLeadershipLeaseDuration <= options.coordinatedLeadershipRenewDeadline)
    errors.push(`${lease} must be greater than ${renew}`);
  if (options.coordinatedLeadershipRenewDeadline <= options.coordinatedLeadershipRetryPeriod)
    errors.push(`${renew} must be greater than ${retry}`);
  return errors;
}
