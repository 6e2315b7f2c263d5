import { boolKind, intKind, mapKind, optionalStringsKind, stringKind, stringsKind } from './flag-kinds.ts';
import { flag } from './flag-set.ts';

const admission = 'Admission';

/** Flags of admission and of the groups that are served. */
export const admissionFlags = {
  admissionControl: flag(
    optionalStringsKind,
    admission,
    null,
    'Exactly the admission plugins that are on. Deprecated: use --enable-admission-plugins or --disable-admission-plugins.',
  ),
  admissionControlConfigFile: flag(
    stringKind,
    admission,
    '',
    'File with an AdmissionConfiguration, which holds the configurations of admission plugins or names their files.',
  ),
  allowPrivileged: flag(boolKind, 'Misc', false, 'Whether privileged containers are allowed.'),
  defaultNotReadyTolerationSeconds: flag(
    intKind,
    admission,
    300,
    'How long pods that say nothing of it tolerate a node that is not ready, for the admission plugin DefaultTolerationSeconds.',
  ),
  defaultUnreachableTolerationSeconds: flag(intKind, admission, 300, 'The same for a node that is unreachable.'),
  disableAdmissionPlugins: flag(stringsKind, admission, [], 'Default admission plugins that are turned off.'),
  enableAdmissionPlugins: flag(
    stringsKind,
    admission,
    [],
    'Admission plugins that are turned on beside the default ones.',
  ),
  runtimeConfig: flag(
    mapKind,
    'API enablement',
    {},
    'Group versions or resources to serve or not, as group/version[/resource]=true|false; api/all, api/ga, api/beta, api/alpha.',
  ),
};
