import type { Recording } from './run-scenario.ts';

/** Where two runs differ: a title and, line by line, `-` expected and `+` got. */
export interface Difference {
  readonly title: string;
  readonly lines: readonly string[];
}

/**
 * Compares a run with what the reference gave. Without `outputs` only exit codes count: another version of kubectl
 * prints other words.
 */
export function compareRuns(expected: Recording, got: Recording, outputs: boolean): Difference[] {
  const differences: Difference[] = [];
  for (const [index, want] of expected.steps.entries()) {
    const have = got.steps[index];
    const title = `kubectl ${want.command}`;
    if (have?.command !== want.command) differences.push({ title: `${title}: not what the recording ran here; record anew`, lines: [] });
    else if (have.code !== want.code) differences.push({ title: `${title}: exit code ${have.code}, the reference ${want.code}`, lines: changedLines(want.output ?? '', have.output ?? '') });
    else if (outputs && want.output !== undefined && want.output !== have.output) differences.push({ title, lines: changedLines(want.output, have.output ?? '') });
  }
  for (const [resource, tree] of Object.entries(expected.explain)) {
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
    else if (j >= after.length || (i < before.length && (common[i + 1]?.[j] ?? 0) >= (common[i]?.[j + 1] ?? 0))) lines.push(`- ${before[i++]}`);
    else lines.push(`+ ${after[j++]}`);
  }
  return lines;
}
