import { epochMicroseconds } from '#shared/apimachinery/values/epoch-clock.ts';
import { placeOfCaller, type Place } from './call-place.ts';
import { LogLevels } from './log-levels.ts';
import type { LogFields, LogSeverity } from './log-line.ts';
import { formatJsonLine, formatTextLine } from './log-line.ts';
import { writeToStderr, type WriteLine } from './log-output.ts';

export type LogFormat = 'text' | 'json';

/** Lines in klog's text form or as JSON. */
export interface Logger {
  /** Whether {@link info} at this level is written (`-v`): to be checked before building costly fields. */
  enabled(level: number): boolean;
  info(level: number, message: string, fields?: LogFields): void;
  warning(message: string, fields?: LogFields): void;
  error(message: string, error: unknown, fields?: LogFields): void;
}

/** A logger whose levels may change while it is used. */
export interface LeveledLogger extends Logger {
  readonly levels: LogLevels;
  /**
   * A message of several lines or without form, as klog's unstructured ones. Nothing in it that a client chose ends a
   * line. Default level: 0.
   */
  plain(text: string, level?: number): void;
}

export interface LoggerOptions {
  /** `-v`, where nothing else is said. */
  readonly level?: number;
  readonly levels?: LogLevels;
  readonly format: LogFormat;
  /** Default: standard error. */
  readonly write?: WriteLine;
  /** Microseconds since the epoch. */
  readonly nowUs?: () => number;
}

export function createLogger(options: LoggerOptions): LeveledLogger {
  const { level = 0, levels = new LogLevels(level), format, write = writeToStderr, nowUs = microsecondsNow } = options;
  const formatLine = format === 'json' ? formatJsonLine : formatTextLine;
  const put = (severity: LogSeverity, at: number, message: string, details: Details): void =>
    write(formatLine({ severity, level: at, message, ...details, timeUs: nowUs() }), severity);
  // The functions are named, since the place of a line is that of the code that called them.
  const enabled = (at: number): boolean =>
    at <= levels.level || (levels.asksPlaces && levels.includes(at, placeOfCaller(enabled)));
  const info = (at: number, message: string, fields: LogFields = {}): void => {
    if (at > levels.level && !levels.asksPlaces) return;
    const place = placeOfCaller(info);
    if (levels.includes(at, place)) put('info', at, message, { fields, place });
  };
  const warning = (message: string, fields: LogFields = {}): void =>
    put('warning', 0, message, { fields, place: placeOfCaller(warning) });
  const error = (message: string, cause: unknown, fields: LogFields = {}): void => {
    const err = cause instanceof Error || typeof cause === 'string' ? cause : JSON.stringify(cause);
    put('error', 0, message, { fields: { err, ...fields }, place: placeOfCaller(error) });
  };
  const plain = (text: string, at = 0): void => {
    if (enabled(at)) put('info', at, text, { isPlain: true, fields: {}, place: placeOfCaller(plain) });
  };
  return { levels, enabled, info, warning, error, plain };
}

interface Details {
  readonly isPlain?: boolean;
  readonly fields: LogFields;
  readonly place: Place;
}

function microsecondsNow(): number {
  return epochMicroseconds(performance.now());
}
