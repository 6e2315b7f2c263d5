// Holds who may import whom (`imports/rules.ts`), that no import climbs folders, and that neither files nor folders
// import each other in a circle, not even by types.
import { cycles } from './imports/cycles.ts';
import {
  climbingImports,
  importsOfFiles,
  importsOfFolders,
  isTest,
  partOf,
  type ImportGraph,
} from './imports/graph.ts';
import { importRules } from './imports/rules.ts';
import type { Rule } from './rule.ts';

const rulesFile = 'test/quality/imports/rules.ts';

function wrongImports(graph: ImportGraph): string[] {
  const wrong: string[] = [];
  for (const [file, targets] of graph) {
    if (isTest(file)) continue;
    const from = partOf(file);
    const rule = importRules[from];
    if (!rule) {
      wrong.push(`${file}: no rule for ${from}; add one to ${rulesFile}`);
      continue;
    }
    for (const target of targets) {
      const to = partOf(target);
      if (isTest(target)) wrong.push(`${file} → ${target}: the product imports no tests`);
      else if (to !== from && !rule.may.includes(to)) {
        wrong.push(`${file} → ${target}: ${from} may not import ${to}: ${rule.why}`);
      }
    }
  }
  return wrong;
}

/** Rules that allow what nobody does, or what stands below in the list. */
function staleRules(graph: ImportGraph): string[] {
  const used = new Set<string>();
  for (const [file, targets] of graph) {
    if (!isTest(file)) for (const target of targets) used.add(`${partOf(file)} → ${partOf(target)}`);
  }
  const order = Object.keys(importRules);
  return Object.entries(importRules).flatMap(([part, { may }]) =>
    may.flatMap((other) => [
      ...(used.has(`${part} → ${other}`) ? [] : [`${rulesFile}: ${part} may import ${other} and does not`]),
      ...(order.indexOf(other) < order.indexOf(part)
        ? []
        : [`${rulesFile}: ${part} stands before ${other}, which it may import`]),
    ]),
  );
}

export const importArrows: Rule = {
  check({ sources }) {
    const all = importsOfFiles(sources);
    const problems = [
      ...climbingImports(sources),
      ...wrongImports(all),
      ...staleRules(all),
      ...cycles(all).map((files) => `files import each other: ${files.join(' → ')}`),
      ...cycles(importsOfFolders(all)).map((folders) => `folders import each other: ${folders.join(' → ')}`),
    ];
    return { problems, summary: `${all.size} files` };
  },
};
