import { readFileSync } from 'node:fs';

/** The lines of a table of upstream's tests, which lies in the folder `testdata` beside the module that asks. */
export function readTable<Line>(module: string, name: string): readonly Line[] {
  return JSON.parse(readFileSync(new URL(`testdata/${name}.json`, module), 'utf8')) as readonly Line[];
}
