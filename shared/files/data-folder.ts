import { accessSync, constants, existsSync, mkdtempSync, opendirSync, rmdirSync, statSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { checkOwner, everybodyMayWrite, makeFolder } from './private-folder.ts';
import { UnusableFileError, usingFile } from './unusable-file.ts';

const sticky = 0o1000;
/** Beside the files of a program's own, as in /usr/bin, a data directory would get lost. */
const mostOtherFiles = 20;
const mostNamed = 3;

/** What tells a data directory from other folders. */
export interface DataFolderRules {
  /** The flag that names the folder. */
  readonly flag: string;
  /** Files that only a folder which was used before holds, relative to it. */
  readonly marks: readonly string[];
  /** Names that its entries may have before the first use. */
  readonly own: readonly string[];
  /** Paths that other flags name: they may lie in the folder. */
  readonly named?: readonly string[];
}

/**
 * Makes a folder in which keys and data are kept, with mode 0700. An existing one keeps its mode: it may be /tmp, or
 * belong to other programs. The group of a folder may have write access, since who gave it trusts that group.
 * @throws UnusableFileError for a folder of another user, for one that every user may write, that this user may not
 * write, or that holds what other programs keep
 */
export function ensureDataFolder(path: string, rules: DataFolderRules): void {
  usingFile(path, () => {
    if (makeFolder(path)) return;
    checkOwner(path, rules.flag);
    refuseOpen(path, rules.flag);
    accessSync(path, constants.W_OK | constants.X_OK);
    if (!rules.marks.some((mark) => existsSync(join(path, mark)))) refuseForeign(path, rules);
  });
}

/** @throws UnusableFileError for a folder in which every user may put a file */
export function refuseOpen(path: string, flag: string): void {
  const { mode } = statSync(path);
  if (process.geteuid === undefined || (mode & everybodyMayWrite) === 0 || !keepsModes(path)) return;
  // The mode of a folder such as /tmp has to stay as it is.
  const remedy = (mode & sticky) === 0 ? 'chmod o-w it, or name a new folder' : 'name a new folder';
  throw new UnusableFileError(
    path,
    `may be written by every user (mode ${(mode & 0o7777).toString(8)})`,
    `keys and data are not safe there; ${remedy}, such as ${flag} ${join(path, 'quarterdeck')}`,
  );
}

/** Whether the file system stores modes. FAT, and shares of Windows, give all folders the same. */
function keepsModes(path: string): boolean {
  let probe: string;
  try {
    probe = mkdtempSync(join(path, '.mode-'));
  } catch {
    return true;
  }
  try {
    return (statSync(probe).mode & everybodyMayWrite) === 0;
  } finally {
    rmdirSync(probe);
  }
}

function refuseForeign(path: string, { flag, own, named = [] }: DataFolderRules): void {
  const mine = new Set([...own, 'lost+found', ...named.map((file) => firstPart(path, file))]);
  const [folders, files]: string[][] = [[], []];
  const entries = opendirSync(path);
  try {
    for (let entry = entries.readSync(); entry !== null; entry = entries.readSync()) {
      if (entry.name.startsWith('.') || mine.has(entry.name)) continue;
      (entry.isDirectory() ? folders : files)?.push(entry.name);
      if ((folders?.length ?? 0) >= mostNamed || (files?.length ?? 0) > mostOtherFiles) break;
    }
  } finally {
    entries.closeSync();
  }
  if (folders?.length === 0 && (files?.length ?? 0) <= mostOtherFiles) return;
  const examples = [...(folders ?? []), ...(files ?? [])].slice(0, mostNamed).join(', ');
  throw new UnusableFileError(
    path,
    `holds what is not of Quarterdeck (such as ${examples})`,
    `name an empty or a new folder with ${flag}`,
  );
}

/** The entry of `folder` in which `file` lies; empty when it lies elsewhere. */
function firstPart(folder: string, file: string): string {
  const [first = ''] = relative(resolve(folder), resolve(file)).split(sep);
  return first === '..' ? '' : first;
}
