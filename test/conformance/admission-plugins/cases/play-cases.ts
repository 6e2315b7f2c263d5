import { setTimeout as sleep } from 'node:timers/promises';
import { send, type StepAnswer, type Target } from '#test/integration/admission/step.ts';
import { namespaceOf, post, type CaseStep, type PluginCase } from './plugin-case.ts';

/** A server that gets the cases, and what stands in their bodies for what its test started. */
export interface CaseTarget extends Target {
  readonly replacements: Readonly<Record<string, string>>;
}

export type Part = 'admits' | 'changes' | 'refuses';

/** Answers by the plugin and the part of its case. */
export type CaseAnswers = ReadonlyMap<string, StepAnswer>;

export const parts: readonly Part[] = ['admits', 'changes', 'refuses'];

/** What was made before reaches plugins a moment later. */
const settleMs = 1_500;

export function answerKey(plugin: string, part: string): string {
  return `${plugin} ${part}`;
}

/** Makes what the cases need, and waits until plugins know it. */
export async function prepareCases(target: CaseTarget, cases: readonly PluginCase[]): Promise<CaseAnswers> {
  const answers = new Map<string, StepAnswer>();
  for (const { plugin, given = [] } of cases) {
    const steps = [...namespaceSteps(plugin), ...given];
    for (const [index, step] of steps.entries()) {
      const name = answerKey(plugin, `is given ${index}`);
      answers.set(name, await play(target, name, step));
    }
  }
  await sleep(settleMs);
  return answers;
}

export async function playCases(target: CaseTarget, cases: readonly PluginCase[]): Promise<CaseAnswers> {
  const answers = new Map<string, StepAnswer>();
  for (const found of cases) {
    for (const part of parts) {
      const step = found[part];
      const name = answerKey(found.plugin, part);
      if (step !== undefined) answers.set(name, await play(target, name, step));
    }
  }
  return answers;
}

function namespaceSteps(plugin: string): CaseStep[] {
  const name = namespaceOf(plugin);
  const namespaces = '/api/v1/namespaces';
  return [
    post(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }),
    post(`${namespaces}/${name}/serviceaccounts`, {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: 'default' },
    }),
  ];
}

/** The first refusal, or the last answer. */
async function play(target: CaseTarget, name: string, step: CaseStep): Promise<StepAnswer> {
  const { times = 1, body, ...rest } = step;
  const filled = body === undefined ? {} : { body: fill(body, target.replacements) };
  for (let sent = 1; ; sent++) {
    const answer = await send(target, { name, ...rest, ...filled });
    if (sent === times || answer.code >= 400) return answer;
  }
}

function fill(body: unknown, replacements: CaseTarget['replacements']): unknown {
  const filled = Object.entries(replacements).reduce(
    (text, [mark, value]) => text.replaceAll(mark, JSON.stringify(value).slice(1, -1)),
    JSON.stringify(body),
  );
  return JSON.parse(filled) as unknown;
}
