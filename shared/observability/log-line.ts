import { setKey } from '#shared/apimachinery/json/json.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import type { Place } from './call-place.ts';
import { baseName } from './log-levels.ts';

export type LogValue = string | number | boolean | undefined | null | readonly string[] | Error;

export type LogFields = Readonly<Record<string, LogValue>>;

export type LogSeverity = 'info' | 'warning' | 'error';

export interface LogLine {
  readonly severity: LogSeverity;
  readonly level: number;
  readonly message: string;
  /** Of text that stands in a line as it is, as klog's unstructured messages do. Default: false. */
  readonly isPlain?: boolean;
  readonly fields: LogFields;
  /** Microseconds since the epoch. */
  readonly timeUs: number;
  /** Where the line was logged; absent for lines outside of the server's log. */
  readonly place?: Place | undefined;
}

const letters = { info: 'I', warning: 'W', error: 'E' } as const;

/** klog's form, in local time: `I1121 03:25:27.123456       1 with-audit.ts:34] "message" key="value"`. */
export function formatTextLine(line: LogLine): string {
  const { place, timeUs } = line;
  const time = new Date(timeUs / 1000);
  const day = `${pad(time.getMonth() + 1)}${pad(time.getDate())}`;
  const second = `${pad(time.getHours())}:${pad(time.getMinutes())}:${pad(time.getSeconds())}`;
  const micros = String(Math.floor(timeUs) % 1_000_000).padStart(6, '0');
  const at = place === undefined ? 'quarterdeck' : `${baseName(place.path)}:${place.line}`;
  const head = `${letters[line.severity]}${day} ${second}.${micros} ${String(process.pid).padStart(7)} ${at}]`;
  let text = `${head} ${line.isPlain === true ? line.message : goQuote(line.message)}`;
  for (const [key, value] of Object.entries(line.fields))
    if (value !== undefined) text += ` ${key}=${textValue(value)}`;
  return text.endsWith('\n') ? text : `${text}\n`;
}

/** The JSON form of component-base: `ts` in milliseconds, `v` but for errors, whose cause is `err`. */
export function formatJsonLine({ place, timeUs, message, severity, level, fields }: LogLine): string {
  const caller = place === undefined ? 'quarterdeck' : `${shortPath(place.path)}:${place.line}`;
  const entry: Record<string, unknown> = { ts: Math.floor(timeUs) / 1000, caller, msg: message.replace(/\n$/, '') };
  if (severity !== 'error') entry['v'] = level;
  for (const [key, value] of Object.entries(fields))
    if (value !== undefined) setKey(entry, key, value instanceof Error ? value.message : value);
  return `${JSON.stringify(entry)}\n`;
}

/** The file with its folder: `filters/with-audit.ts`. */
function shortPath(path: string): string {
  return path.split('/').slice(-2).join('/');
}

function textValue(value: LogValue): string {
  if (value instanceof Error) return textValue(value.message);
  if (typeof value === 'string') return value.includes('\n') ? indented(value) : goQuote(value);
  return JSON.stringify(value) ?? 'null';
}

/** Text of several lines, as klog sets it off from the field after it. */
function indented(text: string): string {
  const whole = text.endsWith('\n') ? text.slice(0, -1) : text;
  return `<\n\t${whole.replaceAll('\n', '\n\t')}\n >`;
}

function pad(value: number): string {
  return String(value).padStart(2, '0');
}
