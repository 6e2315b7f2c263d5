import type { LogSeverity } from './log-line.ts';

/** Takes lines, each with its line feed. */
export type WriteLine = (line: string, severity: LogSeverity) => void;

/** `--log-text-split-stream` and `--log-text-info-buffer-size`, or those of JSON. */
export interface OutputOptions {
  /** Whether information goes to standard output, and only the rest to standard error. */
  readonly splits: boolean;
  /** Bytes of information that are kept back; 0 for none. Only where the streams are split. */
  readonly bufferBytes: number;
  /** How often what was kept back is written (`--log-flush-frequency`). */
  readonly flushEveryMs: number;
  /** The severities that go to standard output. Text keeps warnings with errors, JSON with information. */
  readonly toStdout: ReadonlySet<LogSeverity>;
}

/** The streams of a process, and its end. */
export interface OutputProcess {
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
  on(event: 'exit', listener: () => void): unknown;
}

/** The largest buffer, as in component-base/logs. */
const maxBufferBytes = 2 * 1024 ** 3;

export const writeToStderr: WriteLine = (line) => void process.stderr.write(line);

/** Opens the output of a process's log. All lines go to standard error by default. */
export function openLogOutput(
  { splits, bufferBytes, flushEveryMs, toStdout }: OutputOptions,
  own: OutputProcess = process,
): WriteLine {
  if (!splits) return (line) => void own.stderr.write(line);
  const size = Math.min(bufferBytes, maxBufferBytes);
  const info = size > 0 ? keptBack(size, flushEveryMs, own) : (line: string) => void own.stdout.write(line);
  return (line, severity) => (toStdout.has(severity) ? info(line) : void own.stderr.write(line));
}

/** Writes lines when so many bytes have come together, after some time, and at the end of the process. */
function keptBack(size: number, flushEveryMs: number, own: OutputProcess): (line: string) => void {
  let kept: string[] = [];
  let bytes = 0;
  const flush = (): void => {
    if (bytes === 0) return;
    const text = kept.join('');
    [kept, bytes] = [[], 0];
    own.stdout.write(text);
  };
  setInterval(flush, flushEveryMs).unref();
  own.on('exit', flush);
  return (line) => {
    const length = Buffer.byteLength(line);
    if (bytes + length > size) flush();
    if (length > size) return void own.stdout.write(line);
    kept.push(line);
    bytes += length;
  };
}
