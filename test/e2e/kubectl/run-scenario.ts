import { execFileSync } from 'node:child_process';
import { Kubectl } from './kubectl.ts';
import type { Ran, Target } from './kubectl.ts';
import { digest, explainedTree, normalize } from './normalize.ts';
import { scenario } from './scenario/scenario.ts';
import type { Step } from './step.ts';

/** What a step left: the exit code, and what it printed where that is compared, freed of what is fleeting. */
export interface Outcome {
  readonly command: string;
  readonly code: number | null;
  readonly output?: string;
}

/** Everything that one version of kubectl got out of one server. */
export interface Recording {
  /** `1.36` */
  readonly kubectl: string;
  readonly steps: readonly Outcome[];
  /** Resource → digest of the tree of its fields. */
  readonly explain: Readonly<Record<string, string>>;
}

/** Also holds what recordings leave out, to show it when it differs. */
export interface Run extends Recording {
  readonly seen: readonly Ran[];
  readonly trees: Readonly<Record<string, string>>;
}

export function kubectlVersion(program: string): string {
  const text = execFileSync(program, ['version', '--client', '-o', 'json'], { encoding: 'utf8' });
  const { clientVersion } = JSON.parse(text) as { clientVersion: { major: string; minor: string } };
  return `${clientVersion.major}.${Number.parseInt(clientVersion.minor, 10)}`;
}

/** Runs steps in their order, then explains every resource that the server names. */
export async function runScenario(
  program: string,
  target: Target,
  steps: readonly Step[] = scenario,
  explain = true,
): Promise<Run> {
  const kubectl = new Kubectl(program, target);
  try {
    const seen: Ran[] = [];
    for (const step of steps) seen.push(await kubectl.run(step));
    const trees = explain ? await explainAll(kubectl) : {};
    return {
      kubectl: kubectlVersion(program),
      steps: steps.map((step, index) => outcome(step, seen[index])),
      explain: Object.fromEntries(Object.entries(trees).map(([resource, tree]) => [resource, digest(tree)])),
      seen,
      trees,
    };
  } finally {
    kubectl.close();
  }
}

function outcome({ command, output }: Step, ran: Ran | undefined): Outcome {
  const code = ran?.code ?? null;
  return output === 'ignored'
    ? { command, code }
    : { command, code, output: normalize(ran?.output ?? '', output === 'sorted') };
}

async function explainAll(kubectl: Kubectl): Promise<Record<string, string>> {
  const { output } = await kubectl.run({ command: 'api-resources -o name', output: 'ignored' });
  const trees: Record<string, string> = {};
  for (const resource of output
    .split('\n')
    .filter((line) => /^[a-z0-9.]+$/.test(line))
    .sort()) {
    const { code, output: text } = await kubectl.run({ command: `explain ${resource} --recursive`, output: 'ignored' });
    trees[resource] = code === 0 ? explainedTree(text) : `exit code ${code}\n${text}`;
  }
  return trees;
}
