// Compares plugins with configurations beside a kube-apiserver that it starts with the same files, and why both servers
// refuse to start with broken ones:
//   REFERENCE_BIN=FOLDER node --import tsx test/conformance/admission-plugins/run.ts [--only starts,cases,plugins]
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { ensureCertificates } from '#servers/launcher/pki/pki.ts';
import { pkiPaths } from '#shared/process/data-directory.ts';
import { startCluster } from '#test/cluster.ts';
import { configurationFile } from '#test/integration/admission/configuration.ts';
import { prepareFlags } from '#test/integration/admission/flags.ts';
import { send, type StepAnswer, type Target } from '#test/integration/admission/step.ts';
import { adminToken, enabledPlugins } from '#test/integration/admission/tokens.ts';
import { startReference } from '#test/reference.ts';
import { compareCases } from './compare-cases.ts';
import { compareStarts } from './compare-starts.ts';
import { ImageReviewer } from './image-reviewer.ts';
import { eventStep, pluginSteps } from './plugin-steps.ts';

const { values: chosen } = parseArgs({ options: { only: { type: 'string', default: '' } } });
const settleMs = 700;
/** More than the bursts of all limits, and fewer than come back in a second. */
const events = 60;
let differences = 0;

function compare(what: string, expected: unknown, found: unknown): void {
  if (isDeepStrictEqual(expected, found)) return;
  differences++;
  console.log(`${what}\n  reference ${JSON.stringify(expected)}\n  here      ${JSON.stringify(found)}`);
}

/** The flags of one of the servers, whose reviews go to a path of its own. */
function flagsOf(name: string, folder: string, reviewer: string, caFile: string): string[] {
  const own = join(folder, name);
  mkdirSync(own);
  const flags = prepareFlags(own);
  const kubeconfig = join(own, 'kubeconfig');
  writeFileSync(
    kubeconfig,
    `current-context: c
contexts: [{name: c, context: {cluster: k, user: u}}]
clusters: [{name: k, cluster: {server: "${reviewer}/${name}", certificate-authority: "${caFile}"}}]
users: [{name: u, user: {token: secret}}]
`,
  );
  writeFileSync(
    join(own, 'admission.yaml'),
    `${configurationFile}- name: ImagePolicyWebhook
  configuration: {imagePolicy: {kubeConfigFile: "${kubeconfig}", retryBackoff: 1}}
- name: EventRateLimit
  configuration:
    apiVersion: eventratelimit.admission.k8s.io/v1alpha1
    kind: Configuration
    limits:
    - {type: SourceAndObject, qps: 1, burst: 2}
    - {type: User, qps: 1, burst: 3, cacheSize: 10}
    - {type: Namespace, qps: 1, burst: 4}
    - {type: Server, qps: 1, burst: 5}
`,
  );
  return [
    ...flags.filter((flag) => !flag.startsWith('--enable-admission-plugins')),
    `--enable-admission-plugins=${enabledPlugins},ImagePolicyWebhook,EventRateLimit`,
  ];
}

async function answersOf(target: Target, name: string): Promise<StepAnswer[]> {
  const answers: StepAnswer[] = [];
  for (const step of pluginSteps) {
    if (step.settles === true) await sleep(settleMs);
    const answer = await send(target, step);
    answers.push(JSON.parse(JSON.stringify(answer).replaceAll(`/${name}?`, '/?')) as StepAnswer);
  }
  return answers;
}

/** The refusal that names all limits. */
async function limitText(target: Target): Promise<StepAnswer | undefined> {
  let found: StepAnswer | undefined;
  for (let sent = 0; sent < events; sent++) {
    const answer = await send(target, eventStep);
    if (answer.message?.split('limit reached').length === 5) found = answer;
  }
  return found;
}

async function comparePlugins(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'admission-plugins-'));
  const pki = pkiPaths(join(folder, 'pki'));
  ensureCertificates(pki, ['127.0.0.1']);
  const reviewer = new ImageReviewer(pki);
  const url = await reviewer.listen();
  const reference = await startReference({ flags: flagsOf('reference', folder, url, pki.caCert) });
  const here = await startCluster({ flags: [...flagsOf('here', folder, url, pki.caCert), '--allow-privileged=true'] });
  try {
    const targets = {
      reference: { url: reference.url, token: adminToken },
      here: { url: here.url, token: adminToken },
    };
    const [expected, found] = await Promise.all([
      answersOf(targets.reference, 'reference'),
      answersOf(targets.here, 'here'),
    ]);
    for (const [index, step] of pluginSteps.entries()) compare(step.name, expected[index], found[index]);
    const reviews = (name: string): readonly string[] => reviewer.reviews(`/${name}?timeout=30s`);
    compare('reviews that the webhook got', reviews('reference'), reviews('here'));
    const limits = await limitText(targets.reference);
    if (limits === undefined) throw new Error('the reference refused no event by all limits');
    compare('refusal of events', limits, await limitText(targets.here));
    console.log(`${pluginSteps.length} steps, ${reviews('reference').length} reviews`);
  } finally {
    await Promise.all([reference.close(), here.close()]);
    reviewer.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const only = chosen.only === '' ? ['starts', 'cases', 'plugins'] : chosen.only.split(',');
if (only.includes('starts')) await compareStarts(compare);
if (only.includes('cases')) await compareCases(compare);
if (only.includes('plugins')) await comparePlugins();
console.log(`${differences} differences`);
process.exitCode = differences === 0 ? 0 : 1;
