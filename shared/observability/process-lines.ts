import { formatJsonLine } from './log-line.ts';

/** The name and form of this process's lines. It has to be set in each bundle of a process. */
let self = { name: 'quarterdeck', format: 'text' };

/**
 * Says how this process writes what is no part of the log of what it serves: its faults, and the warnings of Node.js.
 * Where the log is JSON, who reads it finds nothing else in it.
 */
export function setProcessLines(name: string, format: string): void {
  self = { name, format };
  if (format !== 'json') return;
  // Node.js prints warnings by a listener of its own.
  process.removeAllListeners('warning').on('warning', (warning) => {
    process.stderr.write(
      formatJsonLine({
        severity: 'warning',
        level: 0,
        message: `${warning.name}: ${warning.message}`,
        fields: { process: name },
        time: new Date(),
      }),
    );
  });
}

/** Writes a line that a process says of itself: in words for people, as an entry where the log is JSON. */
export function sayOfProcess(message: string, name = self.name): void {
  process.stderr.write(
    self.format === 'json'
      ? formatJsonLine({ severity: 'error', level: 0, message, fields: { process: name }, time: new Date() })
      : `${name}: ${message}\n`,
  );
}

/** Why nothing starts: a line for each flag that is wrong. */
export function sayWrongFlags(errors: readonly string[]): void {
  for (const error of errors) {
    process.stderr.write(
      self.format === 'json'
        ? formatJsonLine({
            severity: 'error',
            level: 0,
            message: 'command failed',
            fields: { err: error },
            time: new Date(),
          })
        : `error: ${error}\n`,
    );
  }
}

/** Writes a line that is no error to standard output. */
export function sayReady(message: string): void {
  process.stdout.write(
    self.format === 'json'
      ? formatJsonLine({ severity: 'info', level: 0, message, fields: {}, time: new Date() })
      : `${message}\n`,
  );
}

/** From a child to the launcher, right before it ends. */
export interface FailedMessage {
  readonly type: 'failed';
  readonly reason: string;
}

/**
 * Ends this process and reports why it cannot go on: to the launcher, which prints it in a line of its own, or without
 * a launcher on stderr.
 */
export function endProcessBecause(reason: string, exitCode: number): void {
  if (process.send !== undefined && process.connected)
    process.send({ type: 'failed', reason } satisfies FailedMessage, () => process.exit(exitCode));
  else {
    sayOfProcess(reason);
    process.exit(exitCode);
  }
}

/** What nobody caught ends the process, as Node.js would end it, with a line in the form of the others. */
export function endOnUncaught(): void {
  process.on('uncaughtException', (error: unknown) => {
    sayOfProcess(uncaughtText(error));
    process.exit(1);
  });
}

export function uncaughtText(error: unknown): string {
  return `uncaught: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
}

/** The form that the flags of a process ask for, before anything else of them is read. */
export function formatFromFlags(argv: readonly string[]): string {
  const at = argv.lastIndexOf('--logging-format');
  const inOne = argv
    .findLast((argument) => argument.startsWith('--logging-format='))
    ?.slice('--logging-format='.length);
  return inOne ?? (at < 0 ? 'text' : (argv[at + 1] ?? 'text'));
}
