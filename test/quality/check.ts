// `npm run check`: the rules of this folder in one process, and the tools of others beside it. All problems are told in
// one run, and it ends with 1 where there are some.
//   npm run check -- [NAME…]            these rules and tools alone
//   npm run check -- RULE… --write      makes the files that the rules hold
//   --tsconfig FILE, --folder FOLDER    another project for the rules that look at types, and where its product is
import { parseArgs } from 'node:util';
import { ProjectOnDisk } from './project-on-disk.ts';
import { rules } from './rules.ts';
import { runTool, tools } from './tools.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    write: { type: 'boolean', default: false },
    tsconfig: { type: 'string' },
    folder: { type: 'string', multiple: true },
  },
});
const known = [...Object.keys(rules), ...Object.keys(tools)];
const unknown = positionals.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  console.error(`no such check: ${unknown.join(', ')}. There are ${known.join(', ')}`);
  process.exit(2);
}
const chosen = <T>(all: Readonly<Record<string, T>>): [string, T][] =>
  Object.entries(all).filter(([name]) => positionals.length === 0 || positionals.includes(name));
const began = performance.now();
let failed = 0;

function tell(name: string, passed: boolean, summary: string, problems: string): void {
  if (!passed) failed++;
  if (problems !== '') console.error(problems);
  console.log(`${passed ? 'ok    ' : 'FAILED'} ${name}${summary === '' ? '' : `: ${summary}`}`);
}

// They run while the rules keep this process busy; what they say is taken afterwards.
const running = chosen(tools).map(([name, command]) => ({ name, result: runTool(command) }));
const project = new ProjectOnDisk({
  ...(values.tsconfig === undefined ? {} : { tsconfig: values.tsconfig }),
  ...(values.folder === undefined ? {} : { folders: values.folder }),
});
try {
  for (const [name, rule] of chosen(rules)) {
    if (values.write) rule.write?.(project);
    const { problems, summary } = rule.check(project);
    const count = problems.length === 1 ? '1 problem' : `${problems.length} problems`;
    tell(name, problems.length === 0, `${summary}, ${count}`, problems.join('\n'));
  }
} finally {
  project.close();
}
for (const { name, result } of running) {
  const { passed, output } = await result;
  tell(name, passed, '', passed ? '' : output.trimEnd());
}
console.log(
  `${failed === 0 ? 'all passed' : `${failed} failed`} in ${((performance.now() - began) / 1000).toFixed(1)} s`,
);
process.exitCode = failed === 0 ? 0 : 1;
