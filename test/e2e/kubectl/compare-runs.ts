import type { Recording } from './run-scenario.ts';

/** Where two runs differ: a title and, line by line, `-` expected and `+` got. */
export interface Difference {
  readonly title: string;
  readonly lines: readonly string[];
}

/** Groups of servers that are not there yet. */
const later = /(?:^|\.)apiextensions\.k8s\.io(?:\/|$)/;

/**
 * Compares a run, of the whole scenario or of its beginning, with what the reference gave. Without `outputs` only exit
 * codes count: another version of kubectl prints other words.
 */
export function compareRuns(expected: Recording, got: Recording, outputs: boolean): Difference[] {
  const differences: Difference[] = [];
  for (const [index, have] of got.steps.entries()) {
    const want = expected.steps[index];
    if (want === undefined) throw new Error(`no recording of: kubectl ${have.command}`);
    const title = `kubectl ${want.command}`;
    const lines = changedLines(want.output ?? '', have.output ?? '').filter((line) => !later.test(line.slice(2)));
    if (have.command !== want.command)
      throw new Error(`recorded was: ${title}, now it is: ${have.command}; record anew`);
    if (have.code !== want.code)
      differences.push({ title: `${title}: exit code ${have.code}, the reference ${want.code}`, lines });
    else if (outputs && want.output !== undefined && lines.length > 0) differences.push({ title, lines });
  }
  for (const [resource, tree] of Object.keys(got.explain).length > 0 ? Object.entries(expected.explain) : []) {
    if (later.test(resource)) continue;
    const title = `kubectl explain ${resource} --recursive`;
    const have = got.explain[resource];
    if (have === undefined) differences.push({ title: `${title}: no such resource`, lines: [] });
    else if (outputs && have !== tree) differences.push({ title, lines: [] });
  }
  return differences;
}

/** Lines of either text that the other lacks at their place (longest common subsequence). */
export function changedLines(expected: string, got: string): string[] {
  const [before, after] = [expected.split('\n'), got.split('\n')];
  const common = Array.from({ length: before.length + 1 }, () => new Uint32Array(after.length + 1));
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      const row = common[i] as Uint32Array;
      const below = common[i + 1] as Uint32Array;
      row[j] = before[i] === after[j] ? (below[j + 1] ?? 0) + 1 : Math.max(below[j] ?? 0, row[j + 1] ?? 0);
    }
  }
  const lines: string[] = [];
  let [i, j] = [0, 0];
  while (i < before.length || j < after.length) {
    if (i < before.length && j < after.length && before[i] === after[j]) [i, j] = [i + 1, j + 1];
    else if (j >= after.length || (i < before.length && (common[i + 1]?.[j] ?? 0) >= (common[i]?.[j + 1] ?? 0)))
      lines.push(`- ${before[i++]}`);
    else lines.push(`+ ${after[j++]}`);
  }
  return lines;
}
