import type { AdmissionFlags } from '#shared/admission/admission-flags.ts';

/** The flags of admission with these changes of their defaults. */
export function flagsWith(changed: Partial<AdmissionFlags> = {}): AdmissionFlags {
  return {
    enableAdmissionPlugins: [],
    disableAdmissionPlugins: [],
    admissionControl: null,
    admissionControlConfigFile: '',
    ...changed,
  };
}
