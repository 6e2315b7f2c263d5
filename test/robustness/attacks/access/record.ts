// Records what the reference (REFERENCE_BIN) answers to what access.test.ts asks: gen/answers.json and
// gen/paths.json.gz.
//   node --import tsx test/robustness/attacks/access/record.ts
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { startReference } from '#test/reference.ts';
import { forward } from './forwarded-paths.ts';
import { pathAnswers } from './path-answers.ts';
import { recordedQuestions } from './path-forms.ts';
import { preparePaths, resolvesNames } from './path-rig.ts';
import { steal } from './stolen-decisions.ts';

const folder = join(import.meta.dirname, 'gen');
mkdirSync(folder, { recursive: true });
const reference = await startReference({ flags: resolvesNames });
try {
  const rig = await preparePaths([reference.url]);
  const paths = await pathAnswers(reference.url, recordedQuestions(), 'HTTP/1.1');
  const forwarded = await forward(reference.url);
  rig.close();
  const thefts = await steal(reference.url);
  writeFileSync(join(folder, 'answers.json'), `${JSON.stringify({ thefts, forwarded }, undefined, 1)}\n`);
  writeFileSync(join(folder, 'paths.json.gz'), gzipSync(JSON.stringify(Object.fromEntries(paths)), { level: 9 }));
  process.stdout.write(
    `${Object.keys(thefts).length} thefts, ${Object.keys(forwarded).length} forwarded paths and ${paths.size} paths recorded\n`,
  );
} finally {
  await reference.close();
}
