// Every shape and spelling of the paths of every resource, beside the reference (REFERENCE_BIN): what a user without
// rights is told names what the path is judged by, what the administrator is told is what it leads to.
//   node --import tsx test/robustness/attacks/access/compare-paths.ts [--share 10] [--only <expression>]
// Asked is one question of so many (1: all), another one in each run of a seed; --only chooses resources.
import { parseArgs } from 'node:util';
import { listedResources } from '#test/compare/listed-resources.ts';
import { startPair, type Side } from '#test/compare/pair.ts';
import { Report } from '#test/compare/report.ts';
import { protocols } from './ask-path.ts';
import { seeded } from './hostile-questions.ts';
import { pathAnswers } from './path-answers.ts';
import { questionsOf, type ListedResource, type PathQuestion } from './path-forms.ts';
import { echoRoot, preparePaths, resolvesNames } from './path-rig.ts';

const { values } = parseArgs({
  options: {
    share: { type: 'string', default: '10' },
    only: { type: 'string', default: '' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
  },
});
const shown = 20;

async function pathsOfResources(theirs: Side): Promise<readonly ListedResource[]> {
  const listed = await listedResources(theirs.json);
  return [
    ...listed.map(({ root, name, subresources }) => ({ root, resource: name, subresources })),
    { root: echoRoot, resource: 'things', subresources: ['status'] },
  ];
}

const { ours, theirs, close } = await startPair({ flags: resolvesNames });
const report = new Report({ shown });
try {
  const rig = await preparePaths([ours.url, theirs.url]);
  const random = seeded(Number(values.seed));
  const resources = (await pathsOfResources(theirs)).filter(({ root, resource }) =>
    new RegExp(values.only).test(`${root}/${resource}`),
  );
  const questions: PathQuestion[] = resources.flatMap((resource) =>
    questionsOf(resource).filter(() => random() < 1 / Number(values.share)),
  );
  // In turn, so that each has the machine for itself.
  for (const protocol of protocols) {
    const expected = await pathAnswers(theirs.url, questions, protocol);
    const answers = await pathAnswers(ours.url, questions, protocol);
    report.answers(`${protocol}, paths of ${resources.length} resources, seed ${values.seed}`, expected, answers);
  }
  rig.close();
} finally {
  await close();
}
process.exitCode = report.finish();
