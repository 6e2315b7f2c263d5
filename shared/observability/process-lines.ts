import { epochMicroseconds } from '#shared/apimachinery/values/epoch-clock.ts';
import { formatJsonLine, type LogFields, type LogSeverity } from './log-line.ts';

/** The name and form of this process's lines. It has to be set in each bundle of a process. */
let self = { name: 'quarterdeck', format: 'text' };

/**
 * Sets how this process writes lines outside of the server's log: its own errors, and the warnings of Node.js. If the
 * log is JSON, these lines are JSON, too.
 */
export function setProcessLines(name: string, format: string): void {
  self = { name, format };
  if (format !== 'json') return;
  // Removes the listener by which Node.js prints warnings.
  process.removeAllListeners('warning').on('warning', (warning) => {
    process.stderr.write(jsonLine('warning', `${warning.name}: ${warning.message}`, { process: name }));
  });
}

/** Writes an error of this process as a line of text, or as an entry if the log is JSON. */
export function printProcessLine(message: string, name = self.name): void {
  process.stderr.write(
    self.format === 'json' ? jsonLine('error', message, { process: name }) : `${name}: ${message}\n`,
  );
}

/** Reports invalid flags, one line for each error. */
export function printFlagErrors(errors: readonly string[]): void {
  for (const error of errors) {
    process.stderr.write(
      self.format === 'json' ? jsonLine('error', 'command failed', { err: error }) : `error: ${error}\n`,
    );
  }
}

/** Writes an informational line to standard output. */
export function printReadyLine(message: string): void {
  process.stdout.write(self.format === 'json' ? jsonLine('info', message, {}) : `${message}\n`);
}

/** Message from a child to the launcher, sent right before the child ends. */
export interface FailedMessage {
  readonly type: 'failed';
  readonly reason: string;
}

/** Message from a child to the launcher about damaged data, which may keep a start from getting ready. */
export interface DamagedMessage {
  readonly type: 'damaged';
  /** What is damaged, and what to do. */
  readonly reason: string;
}

export function reportDamage(reason: string): void {
  if (process.connected) process.send?.({ type: 'damaged', reason } satisfies DamagedMessage);
}

/**
 * Ends this process and reports the reason: to the launcher, which prints it in a line of its own, or on stderr if
 * there is no launcher.
 */
export function exitWithError(reason: string, exitCode: number): void {
  if (process.send !== undefined && process.connected)
    process.send({ type: 'failed', reason } satisfies FailedMessage, () => process.exit(exitCode));
  else {
    printProcessLine(reason);
    process.exit(exitCode);
  }
}

/** Ends the process on an uncaught exception, as Node.js would, with a line in the form of the log. */
export function endOnUncaught(): void {
  process.on('uncaughtException', (error: unknown) => {
    printProcessLine(uncaughtText(error));
    process.exit(1);
  });
}

export function uncaughtText(error: unknown): string {
  return `uncaught: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
}

/** The value of `--logging-format`, read before the other flags are parsed. */
export function formatFromFlags(argv: readonly string[]): string {
  const at = argv.lastIndexOf('--logging-format');
  const inOne = argv
    .findLast((argument) => argument.startsWith('--logging-format='))
    ?.slice('--logging-format='.length);
  return inOne ?? (at < 0 ? 'text' : (argv[at + 1] ?? 'text'));
}

function jsonLine(severity: LogSeverity, message: string, fields: LogFields): string {
  return formatJsonLine({ severity, level: 0, message, fields, timeUs: epochMicroseconds(performance.now()) });
}
