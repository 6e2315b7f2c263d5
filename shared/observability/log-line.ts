import { setKey } from '#shared/apimachinery/json/json.ts';

export type LogValue = string | number | boolean | undefined | null | readonly string[] | Error;

export type LogFields = Readonly<Record<string, LogValue>>;

export type LogSeverity = 'info' | 'warning' | 'error';

export interface LogLine {
  readonly severity: LogSeverity;
  readonly level: number;
  readonly message: string;
  readonly fields: LogFields;
  readonly time: Date;
}

const letters = { info: 'I', warning: 'W', error: 'E' } as const;

/** klog's form: `I1121 03:25:27.123456       1 server] "message" key="value"`; the source location is not known. */
export function formatTextLine(line: LogLine): string {
  const { time } = line;
  const head = `${letters[line.severity]}${pad(time.getMonth() + 1)}${pad(time.getDate())} ${pad(time.getHours())}:${pad(time.getMinutes())}:${pad(time.getSeconds())}.${String(time.getMilliseconds()).padStart(3, '0')}000`;
  let text = `${head} ${String(process.pid).padStart(7)} quarterdeck] ${JSON.stringify(line.message)}`;
  for (const [key, value] of Object.entries(line.fields))
    if (value !== undefined) text += ` ${key}=${textValue(value)}`;
  return `${text}\n`;
}

/** The JSON form of component-base: `ts` in milliseconds, `v` for information, `err` for errors. */
export function formatJsonLine(line: LogLine): string {
  const entry: Record<string, unknown> = { ts: line.time.getTime(), caller: 'quarterdeck', msg: line.message };
  if (line.severity === 'info') entry['v'] = line.level;
  for (const [key, value] of Object.entries(line.fields))
    if (value !== undefined) setKey(entry, key, value instanceof Error ? value.message : value);
  return `${JSON.stringify(entry)}\n`;
}

function textValue(value: LogValue): string {
  if (value instanceof Error) return JSON.stringify(value.message);
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : JSON.stringify(value);
}

function pad(value: number): string {
  return String(value).padStart(2, '0');
}
