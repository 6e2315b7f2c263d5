import { ConfigurationError } from '#shared/configuration/decode-configuration.ts';
import { loadPolicyFile } from './policy/load-policy.ts';

/** The flags that name files of auditing. */
export interface AuditFiles {
  readonly auditPolicyFile: string;
}

/** The errors of the files that the flags of auditing name, for a check before anything starts. */
export function auditFileErrors({ auditPolicyFile }: AuditFiles): string[] {
  if (auditPolicyFile === '') return [];
  return attempt('--audit-policy-file', auditPolicyFile, () => loadPolicyFile(auditPolicyFile, () => undefined));
}

function attempt(flag: string, file: string, read: () => unknown): string[] {
  try {
    read();
    return [];
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return [`${flag} ${JSON.stringify(file)}: ${error.message}`];
  }
}
