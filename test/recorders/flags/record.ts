// Writes the flags of kube-apiserver, as its --help shows them, to shared/server/options/testdata/flags.json:
//   REFERENCE_BIN=FOLDER node --import tsx test/recorders/flags/record.ts
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { referenceProgram } from '#test/reference.ts';

const file = join(import.meta.dirname, '../../../shared/server/options/testdata/flags.json');
const program = referenceProgram('kube-apiserver');
if (program === undefined) throw new Error('REFERENCE_BIN holds no kube-apiserver');
const { stdout } = spawnSync(program, ['--help'], { encoding: 'utf8', maxBuffer: 2 ** 24 });

/** A heading, a flag with its type and the beginning of its sentences, or a further line of these. */
const line =
  /^(?:(?<section>\S.*) flags:|\s{2,6}(?:-(?<short>\w), )?--(?<name>[\w-]+)(?: (?<type>\S+))? {2,}(?<help>.*)|(?<more>.*))$/;

interface RecordedFlag {
  readonly section: string;
  readonly name: string;
  readonly short?: string;
  readonly type: string;
  default?: string;
}

const flags: RecordedFlag[] = [];
let section = '';
for (const text of stdout.split('\n')) {
  const { section: heading, short, name, type = '', help, more } = line.exec(text)?.groups ?? {};
  if (heading !== undefined) section = heading;
  else if (name !== undefined) flags.push({ section, name, ...(short !== undefined && { short }), type });
  const initial = / \(default (.*?)\)(?: \(DEPRECATED: .*\))?$/.exec(help ?? more ?? '')?.[1];
  const last = flags.at(-1);
  if (initial !== undefined && last !== undefined) last.default = initial;
}
writeFileSync(file, `${JSON.stringify(flags, undefined, 1)}\n`);
console.log(`${flags.length} flags`);
