import { durationKind, stringKind, stringsKind, uintKind } from './flag-kinds.ts';
import { flag } from './flag-set.ts';

const misc = 'Misc';

/**
 * Flags of connections to kubelets. `--kubelet-timeout` and `--kubelet-read-only-port` have no effect, as in the
 * reference: its client stores them (pkg/kubelet/client), but its transport uses neither.
 */
export const kubeletFlags = {
  kubeletCertificateAuthority: flag(
    stringKind,
    misc,
    '',
    'CAs (PEM) of the serving certificates of kubelets; without any, these are not verified.',
  ),
  kubeletClientCertificate: flag(stringKind, misc, '', 'Client certificate (PEM) towards kubelets.'),
  kubeletClientKey: flag(stringKind, misc, '', 'Private key of --kubelet-client-certificate.'),
  kubeletPreferredAddressTypes: flag(
    stringsKind,
    misc,
    ['Hostname', 'InternalDNS', 'InternalIP', 'ExternalDNS', 'ExternalIP'],
    'Which address of a node is used for connections to its kubelet: the first type that it has.',
  ),
  kubeletTimeout: flag(durationKind, misc, 5000, 'Timeout for operations on kubelets.'),
  kubeletPort: flag(uintKind, misc, 10_250, 'Port of kubelets whose Node names none.', { hidden: true }),
  kubeletReadOnlyPort: flag(uintKind, misc, 10_255, 'Port of kubelets without authentication; not used.', {
    hidden: true,
  }),
};
