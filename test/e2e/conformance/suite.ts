import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startProgram } from '#test/program.ts';
import { referenceProgram } from '#test/reference.ts';

/** What of upstream's suite speaks of the API more than of nodes: no container runs here, kwok only says so. */
const focus: Readonly<Record<Exclude<Shard, 'serial'>, readonly string[]>> = {
  'api-machinery': [String.raw`\[sig-api-machinery\]`],
  apps: [String.raw`\[sig-apps\].*\[Conformance\]`],
  others: [
    String.raw`\[sig-(auth|instrumentation|network|architecture)\].*\[Conformance\]`,
    String.raw`\[sig-storage\].*(API|StorageClass|CSI|lifecycle|PersistentVolume|VolumeAttachment|immutable).*\[Conformance\]`,
    String.raw`\[sig-scheduling\] LimitRange`,
    String.raw`\[sig-node\] (RuntimeClass|Lease|PodTemplates|ConfigMap should run|Secrets should patch|Pods should (delete a collection|patch|be updated|be submitted))`,
  ],
};

/**
 * What needs a kubelet, containers that end, a network between pods, or long waits; and features behind gates that are
 * off.
 */
const skip = [
  String.raw`\[Disruptive\]|\[Slow\]|\[Flaky\]|\[Feature:|\[Alpha\]|\[LinuxOnly\]`,
  'AdmissionWebhook|ConversionWebhook|Aggregator Should|drowned out|session affinity|functioning|endpoint|hostPort|Proxy|DNS|should serve|nodePort|able to change the type|Networking|OIDC discovery|multiple EndpointSlices',
  String.raw`projected|mount|in volume|exec(ute|uting|\b)|Downward API volume|Projected|on exit code|FailIndex|tasks sometimes fail|DisruptionTarget|OrderedNamespaceDeletion|with successPolicy|Job should (delete|adopt|create pods)`,
  'CronJob should (schedule|replace|not schedule|remove)|rolling updates|canary updates|Should recreate evicted|Daemon set|capture the life of a ResourceClaim|created by cronjob',
];

/** What takes ten seconds or more, mostly by waiting. */
export const slow =
  'ResourceQuota|Garbage collector|CustomResourceDefinition Watch|CustomResourceFieldSelectors|CustomResourcePublishOpenAPI|receiving resources as Tables';

/** Parts that this server does not have yet: their specs are left out on it. */
export const later = 'priority and fairness';

/** The specs of one kind of run: those of `[Serial]` have the cluster to themselves. */
export type Shard = 'serial' | 'api-machinery' | 'apps' | 'others';

function focusOf(shard: Shard): string {
  const patterns = shard === 'serial' ? Object.values(focus).flat() : focus[shard];
  return shard === 'serial'
    ? patterns.flatMap((pattern) => [String.raw`${pattern}.*\[Serial\]`, String.raw`\[Serial\].*${pattern}`]).join('|')
    : patterns.join('|');
}

export interface SpecResult {
  readonly name: string;
  readonly state: string;
  readonly message: string;
}

interface SpecReport {
  readonly LeafNodeType: string;
  readonly LeafNodeText: string;
  readonly ContainerHierarchyTexts: readonly string[] | null;
  readonly State: string;
  readonly Failure?: { readonly Message: string };
}

export interface ShardOptions {
  /** Patterns of names: those to run instead of the shard's own (empty for these), and those not to run. */
  readonly only: string;
  readonly leftOut: readonly string[];
}

/** Runs a shard of e2e.test against a cluster; reports lie in `folder`. */
export async function runShard(
  shard: Shard,
  kubeconfig: string,
  folder: string,
  { only, leftOut }: ShardOptions,
): Promise<readonly SpecResult[]> {
  const report = join(folder, `${shard}.json`);
  const suite = startProgram(
    referenceProgram('e2e.test') ?? 'e2e.test',
    [
      '--kubeconfig',
      kubeconfig,
      '--provider',
      'skeleton',
      '--kubectl-path',
      referenceProgram('kubectl') ?? 'kubectl',
      '--delete-namespace-on-failure=true',
      '--node-os-distro',
      'custom',
      '--allowed-not-ready-nodes=1',
      `--ginkgo.focus=${only === '' ? focusOf(shard) : only}`,
      ...[...skip, ...leftOut, ...(shard === 'serial' ? [] : [String.raw`\[Serial\]`])].map(
        (pattern) => `--ginkgo.skip=${pattern}`,
      ),
      '--ginkgo.timeout=60m',
      '--ginkgo.no-color',
      `--ginkgo.json-report=${report}`,
    ],
    join(folder, `${shard}.log`),
  );
  await suite.ended;
  const [{ SpecReports: specs }] = JSON.parse(readFileSync(report, 'utf8')) as [
    { SpecReports: readonly SpecReport[] | null },
  ];
  return (specs ?? [])
    .filter(({ LeafNodeType, State }) => LeafNodeType === 'It' && State !== 'skipped' && State !== 'pending')
    .map((spec) => ({
      name: [...(spec.ContainerHierarchyTexts ?? []), spec.LeafNodeText].join(' '),
      state: spec.State,
      message: spec.Failure?.Message ?? '',
    }));
}
