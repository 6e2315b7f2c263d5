/**
 * One kubectl command of the scenario. `output` says how far the two servers must agree: `equal` on everything that
 * kubectl printed, `sorted` on the set of its lines, `ignored` on the exit code alone.
 */
export interface Step {
  /** As one would type it, without `kubectl`; single quotes hold words together. */
  readonly command: string;
  readonly output: 'equal' | 'sorted' | 'ignored';
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** For `get -w`: commands that run once the watch printed its first line, and the lines after which it is ended. */
  readonly during?: readonly string[];
  readonly untilLines?: number;
}

type More = Omit<Step, 'command' | 'output'>;

/** What it prints must be the reference's to the letter; `normalize.ts` tells what is taken out before. */
export function equal(command: string, more: More = {}): Step {
  return { command, output: 'equal', ...more };
}

/** For what kubectl itself prints in no certain order. */
export function sorted(command: string): Step {
  return { command, output: 'sorted' };
}

/** For what also depends on controllers that one of the servers lacks, on tokens, or on the build. */
export function exit(command: string, more: More = {}): Step {
  return { command, output: 'ignored', ...more };
}

/** Words of a command: split at blanks outside single quotes. */
export function words(command: string): string[] {
  return [...command.matchAll(/(?:[^\s']|'[^']*')+/g)].map(([word]) => word.replaceAll("'", ''));
}
