import { ConfigurationError } from '#shared/configuration/decode-configuration.ts';
import { readKubeconfig } from '#shared/configuration/kubeconfig.ts';
import { readError } from '#shared/configuration/read-error.ts';
import { loadPolicyFile } from './policy/load-policy.ts';
import { prepareLog } from './sinks/file/log-target.ts';

/** The flags that name files of auditing. */
export interface AuditFiles {
  readonly auditPolicyFile: string;
  readonly auditLogPath: string;
  readonly auditWebhookConfigFile: string;
}

/** The errors of the files that the flags of auditing name, for a check before anything starts. */
export function auditFileErrors({ auditPolicyFile, auditLogPath, auditWebhookConfigFile }: AuditFiles): string[] {
  return [
    ...attempt('--audit-policy-file', auditPolicyFile, (file) => loadPolicyFile(file, () => undefined)),
    ...(auditLogPath === '-' ? [] : attempt('--audit-log-path', auditLogPath, ensureLog)),
    // The reference reads it only where a policy needs it.
    ...(auditPolicyFile === '' ? [] : attempt('--audit-webhook-config-file', auditWebhookConfigFile, readWebhook)),
  ];
}

function ensureLog(path: string): void {
  try {
    prepareLog(path);
  } catch (error) {
    const { code, path: at = path } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    // Go calls a file in the place of a folder so.
    const fault = code === 'EEXIST' ? { syscall: 'mkdir', code: 'ENOTDIR' } : error;
    throw new ConfigurationError(`ensureLogFile: ${readError(fault, at)}`);
  }
}

function readWebhook(file: string): void {
  try {
    readKubeconfig(file).target();
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    throw new ConfigurationError(`initializing audit webhook: ${error.message}`);
  }
}

function attempt(flag: string, file: string, read: (file: string) => unknown): string[] {
  if (file === '') return [];
  try {
    read(file);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return [`${flag} ${JSON.stringify(file)}: ${error.message}`];
  }
}
