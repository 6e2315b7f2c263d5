import type { AdmissionAttributes, AdmissionPlugin } from './contract/admission.ts';
import { refuseAdmission } from './contract/refusal.ts';

/** Does nothing (apiserver plugin/pkg/admission/admit). */
export class AlwaysAdmit implements AdmissionPlugin {
  readonly name = 'AlwaysAdmit';

  handles(): boolean {
    return false;
  }
}

/** Refuses every write, for tests (plugin/pkg/admission/deny). */
export class AlwaysDeny implements AdmissionPlugin {
  readonly name = 'AlwaysDeny';

  handles(): boolean {
    return true;
  }

  admit(attributes: AdmissionAttributes): void {
    this.validate(attributes);
  }

  validate(attributes: AdmissionAttributes): void {
    throw refuseAdmission(attributes, 'admission control is denying all modifications');
  }
}
