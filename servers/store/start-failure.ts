import { join } from 'node:path';
import { UnusableFileError, unusableFileExitCode } from '#shared/files/unusable-file.ts';
import { commandUsage } from './commands/run-command.ts';
import { isFullDisk } from './mvcc/durable-tip.ts';
import { damageRemedy, LogDamagedError } from './mvcc/log-damage.ts';
import { StoreFlagError, storeUsage } from './start/options.ts';

/** EX_DATAERR of sysexits.h: another start would find the same damaged file. */
const damagedExitCode = 65;

/** Why the store does not start, in one line with file, cause and remedy; after a wrong flag the usage follows. */
export function startFailure(error: unknown, dataDir: string): { readonly reason: string; readonly exitCode: number } {
  const { message } = error as Error;
  if (error instanceof LogDamagedError)
    return {
      reason: `${join(dataDir, 'store.db')} is damaged: ${message}. ${damageRemedy}`,
      exitCode: damagedExitCode,
    };
  if (error instanceof StoreFlagError)
    return { reason: `${message}\n${storeUsage}${commandUsage}`.trimEnd(), exitCode: 1 };
  return {
    reason: message,
    exitCode: error instanceof UnusableFileError && !isFullDisk(error.code) ? unusableFileExitCode : 1,
  };
}
