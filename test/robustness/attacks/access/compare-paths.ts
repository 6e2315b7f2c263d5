// Every shape and spelling of the paths of every resource, beside the reference (REFERENCE_BIN): what a user without
// rights is told names what the path is judged by, what the administrator is told is what it leads to.
//   node --import tsx test/robustness/attacks/access/compare-paths.ts [--share 10] [--only <expression>]
// Asked is one question of so many (1: all), another one in each run of a seed; --only chooses resources.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startCluster } from '../../../cluster.ts';
import { JsonClient } from '../../../json-client.ts';
import { startReference } from '../../../reference.ts';
import { adminToken, writeTokens } from '../../../tokens.ts';
import { seeded } from './hostile-questions.ts';
import { protocols, type PathAnswer, type Protocol } from './ask-path.ts';
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

/**
 * The proxies of nodes are not served (501); what the reference finds first is that the node is missing
 * (pkg/registry/core/node/rest/proxy.go).
 */
const explained = (question: string, ours: PathAnswer): boolean =>
  /\/nodes\/[^/]*\/proxy/.test(question) && ours.status === 501;

async function listedResources(url: string): Promise<readonly ListedResource[]> {
  const admin = new JsonClient(url, adminToken);
  const { body } = await admin.call('GET', '/apis');
  const roots = [
    '/api/v1',
    ...(body as { groups: { versions: { groupVersion: string }[] }[] }).groups.flatMap(({ versions }) =>
      versions.map(({ groupVersion }) => `/apis/${groupVersion}`),
    ),
  ];
  const lists = await Promise.all(
    roots.map(async (root) => {
      const names = ((await admin.call('GET', root)).body as { resources: { name: string }[] }).resources.map(
        ({ name }) => name,
      );
      return names
        .filter((name) => !name.includes('/'))
        .map((resource) => ({
          root,
          resource,
          subresources: names.flatMap((name) =>
            name.startsWith(`${resource}/`) ? [name.slice(resource.length + 1)] : [],
          ),
        }));
    }),
  );
  return [...lists.flat(), { root: echoRoot, resource: 'things', subresources: ['status'] }];
}

let differing = 0;
type Answers = ReadonlyMap<string, PathAnswer>;

function compare(protocol: Protocol, expected: Answers, answers: Answers): void {
  for (const [question, their] of expected) {
    const our = answers.get(question) ?? { status: 0, text: '' };
    if ((our.status === their.status && our.text === their.text) || explained(question, our)) continue;
    if (++differing <= shown)
      process.stdout.write(
        `${protocol} ${question}\n  here:      ${our.status} ${our.text}\n  reference: ${their.status} ${their.text}\n`,
      );
  }
  process.stdout.write(`${protocol}: ${expected.size} answers compared\n`);
}

const folder = mkdtempSync(join(tmpdir(), 'paths-'));
const [ours, theirs] = await Promise.all([
  startCluster({ bundled: true, flags: ['--token-auth-file', writeTokens(folder)] }),
  startReference({ flags: resolvesNames }),
]);
try {
  const rig = await preparePaths([ours.url, theirs.url]);
  const random = seeded(Number(values.seed));
  const resources = (await listedResources(theirs.url)).filter(({ root, resource }) =>
    new RegExp(values.only).test(`${root}/${resource}`),
  );
  const questions: PathQuestion[] = resources.flatMap((resource) =>
    questionsOf(resource).filter(() => random() < 1 / Number(values.share)),
  );
  // In turn, so that each has the machine for itself.
  for (const protocol of protocols) {
    const expected = await pathAnswers(theirs.url, questions, protocol);
    compare(protocol, expected, await pathAnswers(ours.url, questions, protocol));
  }
  rig.close();
  process.stdout.write(`paths of ${resources.length} resources, seed ${values.seed}: ${differing} answers differ\n`);
} finally {
  await Promise.all([ours.close(), theirs.close()]);
  rmSync(folder, { recursive: true });
}
process.exitCode = differing === 0 ? 0 : 1;
