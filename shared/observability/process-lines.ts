import { formatJsonLine } from './log-line.ts';

/**
 * A line that a process says of itself, beside the log of what it serves: in words for people, as an entry where the log is
 * JSON, so that who reads the log finds nothing else in it.
 */
export function processLine(name: string, format: string, message: string): string {
  if (format !== 'json') return `${name}: ${message}\n`;
  return formatJsonLine({ severity: 'error', level: 0, message, fields: { process: name }, time: new Date() });
}

/** The same on standard output, for what is no trouble. */
export function readyLine(format: string, message: string): string {
  return format === 'json' ? formatJsonLine({ severity: 'info', level: 0, message, fields: {}, time: new Date() }) : `${message}\n`;
}
