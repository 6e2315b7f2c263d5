import { readFileSync } from 'node:fs';

const recheckMs = 10_000;

/** Files that are read at once and again when they change, such as certificates that somebody renews. */
export class ReloadedFiles<Name extends string> {
  readonly #paths: Readonly<Record<Name, string>>;
  readonly #listeners: (() => void)[] = [];
  readonly #timer: NodeJS.Timeout;
  #contents: Readonly<Record<Name, Buffer>>;

  /** Throws when one of them cannot be read. */
  constructor(paths: Readonly<Record<Name, string>>, everyMs = recheckMs) {
    this.#paths = paths;
    this.#contents = this.#read();
    this.#timer = setInterval(() => this.refresh(), everyMs).unref();
  }

  get current(): Readonly<Record<Name, Buffer>> {
    return this.#contents;
  }

  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Looks now. Files that are just being replaced: the old ones stay until all can be read. */
  refresh(): void {
    let contents;
    try {
      contents = this.#read();
    } catch {
      return;
    }
    if ((Object.keys(contents) as Name[]).every((name) => contents[name].equals(this.#contents[name]))) return;
    this.#contents = contents;
    for (const listener of this.#listeners) listener();
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #read(): Record<Name, Buffer> {
    return Object.fromEntries((Object.entries(this.#paths) as [Name, string][]).map(([name, path]) => [name, readFileSync(path)])) as Record<Name, Buffer>;
  }
}
