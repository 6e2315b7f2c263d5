import { readFileSync } from 'node:fs';
import { readGen } from '#shared/api/gen-folder.ts';

/** What stands between slashes: no step to another folder, no option of a program. */
const partPattern = /^(?!\.{1,2}$|-)[A-Za-z._\-0-9+]{1,14}$/;

/** Where Go looks for time zones, before the database that it embeds. */
const systemFolders = ['/usr/share/zoneinfo/', '/usr/share/lib/zoneinfo/', '/usr/lib/locale/TZ/', '/etc/zoneinfo'];

/** What Go calls errors of the operating system that a name can cause. */
const systemErrors: ReadonlyMap<string, string> = new Map([
  ['EACCES', 'permission denied'],
  ['EISDIR', 'is a directory'],
  ['ELOOP', 'too many levels of symbolic links'],
  ['ENAMETOOLONG', 'file name too long'],
  ['ENOTDIR', 'not a directory'],
]);

let embedded: ReadonlySet<string> | undefined;

/** Why upstream's validation and {@link locationError} refuse a name; undefined if it is a time zone. */
export function timeZoneError(name: string, folders: readonly string[] = systemFolders): string | undefined {
  const isWritable = name.split('/').every((part) => partPattern.test(part));
  return isWritable ? locationError(name, folders) : `unknown time zone ${name}`;
}

/**
 * Why Go's time.LoadLocation refuses a name; undefined if it is a time zone. Names are exact. Those that the embedded
 * database lacks can be files of the system's, such as `posix/UTC`: like the reference, the server answers as the
 * machine has them.
 */
export function locationError(name: string, folders: readonly string[] = systemFolders): string | undefined {
  embedded ??= new Set(readGen<readonly string[]>('time-zones'));
  if (name === '' || name === 'Local' || embedded.has(name)) return undefined;
  if (name.includes('..') || /^[/\\]/.test(name)) return 'time: invalid location name';
  let first: string | undefined;
  for (const folder of folders) {
    const found = readZone(`${folder}/${name}`);
    if (found === 'zone') return undefined;
    if (found !== 'missing') first ??= found.error;
  }
  return first ?? `unknown time zone ${name}`;
}

function readZone(path: string): 'zone' | 'missing' | { readonly error: string } {
  try {
    return isZone(readFileSync(path)) ? 'zone' : { error: 'malformed time zone information' };
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' ? 'missing' : { error: systemErrors.get(code) ?? message };
  }
}

const magic = Buffer.from('TZif');
const headerBytes = 44;

/** Whether a file holds a time zone (RFC 9636) of a version that Go reads. */
function isZone(bytes: Buffer): boolean {
  if (bytes.length < headerBytes || !bytes.subarray(0, 4).equals(magic)) return false;
  const version = bytes.readUInt8(4);
  if (version !== 0 && version !== 0x32 && version !== 0x33) return false;
  const end = endOfData(bytes, 0, 4);
  if (version === 0) return end !== undefined;
  return end !== undefined && end + headerBytes <= bytes.length && endOfData(bytes, end, 8) !== undefined;
}

/** The offset behind the data of a header, or undefined if it has no zones or the file ends before. */
function endOfData(bytes: Buffer, header: number, timeBytes: number): number | undefined {
  const [utc, standard, leaps, times, zones, letters] = [20, 24, 28, 32, 36, 40].map((at) =>
    bytes.readUInt32BE(header + at),
  ) as [number, number, number, number, number, number];
  const size = times * (timeBytes + 1) + zones * 6 + letters + leaps * (timeBytes + 4) + standard + utc;
  const end = header + headerBytes + size;
  return end <= bytes.length && (zones > 0 || timeBytes === 4) ? end : undefined;
}
