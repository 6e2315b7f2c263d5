import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { ensureCertificates } from '#servers/launcher/pki/pki.ts';
import { pkiPaths } from '#shared/process/data-directory.ts';
import { startWebhookServer } from '#test/conformance/webhooks/webhook-server.ts';
import type { StepAnswer } from '#test/integration/admission/step.ts';
import { referenceProgram } from '#test/reference.ts';
import { CaseServers, type Compare } from './cases/case-servers.ts';
import { answerKey, parts, type CaseAnswers, type Part } from './cases/play-cases.ts';
import type { PluginCase } from './cases/plugin-case.ts';
import { pluginCases } from './cases/plugin-cases.ts';
import { ImageReviewer } from './image-reviewer.ts';

/** Compares what each plugin lets pass, changes and refuses, and that it does none of it when it is disabled. */
export async function compareCases(compare: Compare): Promise<void> {
  const plugins = pluginCases.map(({ plugin }) => plugin);
  compare('plugins', pluginsOfReference(), plugins.toSorted());
  const folder = mkdtempSync(join(tmpdir(), 'plugin-cases-'));
  const pki = pkiPaths(join(folder, 'pki'));
  ensureCertificates(pki, ['127.0.0.1']);
  const reviewer = new ImageReviewer(pki);
  const webhooks = await startWebhookServer();
  const servers = new CaseServers({
    folder,
    plugins,
    reviewer: await reviewer.listen(),
    caFile: pki.caCert,
    webhooks,
  });
  try {
    const disabled = await servers.answers('none', pluginCases, compare);
    for (const run of ['with AlwaysDeny', 'only NamespaceExists', 'most'] as const) {
      const cases = pluginCases.filter(({ enabled = 'most' }) => enabled === run);
      const enabled = await servers.answers(run, cases, compare);
      for (const found of cases) compareWithout(found, enabled, disabled, compare);
    }
    console.log(`${pluginCases.length} plugins`);
  } finally {
    await servers.close();
    reviewer.close();
    webhooks.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The names that the help of kube-apiserver lists. */
function pluginsOfReference(): string[] {
  const program = referenceProgram('kube-apiserver');
  if (program === undefined) throw new Error('REFERENCE_BIN holds no kube-apiserver');
  const help = execFileSync(program, ['--help'], { encoding: 'utf8' });
  const list = /--enable-admission-plugins .*Comma-delimited list of admission plugins: ([\w, ]+)\./.exec(help)?.[1];
  return list?.split(', ').toSorted() ?? [];
}

/** Whether the answers with the plugin are those that its case tells, and the plugin was the reason. */
function compareWithout(found: PluginCase, enabled: CaseAnswers, disabled: CaseAnswers, compare: Compare): void {
  const told: string[] = [];
  for (const part of parts) {
    if (found[part] === undefined) continue;
    const key = answerKey(found.plugin, part);
    const [on, off] = [enabled.get(key), disabled.get(key)];
    const effect = effectOf(on, off);
    compare(`${key}: effect of the plugin`, part, effect ?? { on, off });
    told.push(`${part} (${on?.code}, without it ${off?.code})`);
  }
  console.log(`${found.plugin}: ${told.join(', ')}`);
}

/** What a plugin does to a request that succeeds without it. */
function effectOf(on: StepAnswer | undefined, off: StepAnswer | undefined): Part | undefined {
  if (on === undefined || off === undefined || off.code >= 400) return undefined;
  if (on.code >= 400) return 'refuses';
  return isDeepStrictEqual(on, off) ? 'admits' : 'changes';
}
