import { setTimeout as sleep } from 'node:timers/promises';
import type { Report } from '#test/compare/report.ts';
import { adminToken } from '#test/tokens.ts';
import { configuration, usualConfiguration } from './files.ts';
import type { Side } from './pair.ts';
import type { Asking } from './requests.ts';

/** A reload is in effect after this time, here. */
const reloadMs = 1_000;
/** kube-apiserver gets no more time. */
const readMs = 2_500;

interface Change {
  readonly name: string;
  readonly text: string;
}

const rbac = '- {type: Node, name: node}\n- {type: RBAC, name: rbac}\n';
const first = usualConfiguration('skipped');

/** Contents in turn. Those that are wrong change nothing. */
const changes: readonly Change[] = [
  { name: 'another condition', text: usualConfiguration('other') },
  { name: 'the same in another version', text: usualConfiguration('other', 'v1beta1') },
  { name: 'no YAML', text: 'a: [' },
  { name: 'nothing', text: '' },
  { name: 'no RBAC', text: first.replace('- {type: RBAC, name: rbac}\n', '') },
  { name: 'another type', text: `${first}- {type: ABAC, name: abac}\n` },
  { name: 'AlwaysAllow at the end', text: `${first}- {type: AlwaysAllow, name: alwaysallow}\n` },
  { name: 'a condition that does not compile', text: first.replace("'skipped'", "'skipped") },
  { name: 'a webhook without a kubeconfig', text: first.replace('KUBECONFIG(usual)', '/nowhere/kubeconfig') },
  { name: 'no webhooks', text: configuration(rbac) },
  { name: 'the first again', text: first },
];

const probes: readonly Asking[] = ['skipped', 'other', 'eve'].flatMap((user) =>
  ['allow', 'opinionless'].map((namespace) => ({
    name: `${user} in ${namespace}`,
    path: `/api/v1/namespaces/${namespace}/pods`,
    token: adminToken,
    headers: { 'impersonate-user': user },
  })),
);

async function replies(side: Side): Promise<unknown> {
  const outcomes: unknown[] = [];
  for (const probe of probes) {
    const { answer, asked } = await side.send(probe);
    outcomes.push({ answer, asked: asked.length });
  }
  return outcomes;
}

/** Changes the file of both servers, and compares what they answer then, and what they count. */
export async function compareReloads(
  { here, reference }: { readonly here: Side; readonly reference: Side },
  report: Report,
): Promise<void> {
  for (const { name, text } of changes) {
    reference.files.configure(text);
    await sleep(readMs - reloadMs);
    here.files.configure(text);
    await sleep(reloadMs);
    const [ours, theirs] = await Promise.all([replies(here), replies(reference)]);
    report.equal('reloads', name, theirs, ours);
  }
  const [ours, theirs] = await Promise.all([here.metrics(), reference.metrics()]);
  report.equal('reloads', 'counts', Object.fromEntries(theirs), Object.fromEntries(ours));
}
