import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What `watch-loop.ts` writes down of the processes that are started from here on. */
export class TurnsFile {
  readonly #path: string;
  #position = 0;

  /** @param folder for the file; processes that are started later take over the environment of this one */
  constructor(folder: string) {
    this.#path = join(folder, 'turns');
    writeFileSync(this.#path, '');
    process.env['LOOP_TURNS_FILE'] = this.#path;
    process.env['NODE_OPTIONS'] = `--import=${join(import.meta.dirname, 'watch-loop.ts')}`;
  }

  /** The longest of each process since the last call, in ms of processor time, by `<process> <kind>`. */
  takeLongest(): ReadonlyMap<string, number> {
    const text = readFileSync(this.#path, 'utf8');
    const end = text.lastIndexOf('\n') + 1;
    const longest = new Map<string, number>();
    for (const line of text.slice(this.#position, end).split('\n').slice(0, -1)) {
      const [process = '', kind = '', ms = '0'] = line.split(' ');
      const key = `${process} ${kind}`;
      longest.set(key, Math.max(longest.get(key) ?? 0, Number(ms)));
    }
    this.#position = end;
    return longest;
  }
}
