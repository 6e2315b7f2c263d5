import type { LogFields, LogSeverity } from './log-line.ts';
import { formatJsonLine, formatTextLine } from './log-line.ts';

export type LogFormat = 'text' | 'json';

/** Lines in klog's text form or as JSON, on stderr. */
export interface Logger {
  /** Whether {@link info} at this level is written (`-v`): to be checked before building costly fields. */
  enabled(level: number): boolean;
  info(level: number, message: string, fields?: LogFields): void;
  warning(message: string, fields?: LogFields): void;
  error(message: string, error: unknown, fields?: LogFields): void;
}

export interface LoggerOptions {
  /** `-v`. */
  readonly level: number;
  readonly format: LogFormat;
  readonly write?: (line: string) => void;
  readonly now?: () => Date;
}

export function createLogger(options: LoggerOptions): Logger {
  const write = options.write ?? ((line: string) => void process.stderr.write(line));
  const now = options.now ?? (() => new Date());
  const format = options.format === 'json' ? formatJsonLine : formatTextLine;
  const put = (severity: LogSeverity, level: number, message: string, fields: LogFields): void =>
    write(format({ severity, level, message, fields, time: now() }));
  return {
    enabled: (level) => level <= options.level,
    info(level, message, fields = {}) {
      if (level <= options.level) put('info', level, message, fields);
    },
    warning: (message, fields = {}) => put('warning', 0, message, fields),
    error(message, error, fields = {}) {
      put('error', 0, message, {
        err: error instanceof Error ? error : typeof error === 'string' ? error : JSON.stringify(error),
        ...fields,
      });
    },
  };
}
