// What `tsc` says of the project, by the compiler that the other rules ask, too: it reads all sources once.
import { relative } from 'node:path';
import { DiagnosticCategory, type Diagnostic } from 'typescript/unstable/sync';
import type { Rule } from './rule.ts';
import { projectRoot } from './source-files.ts';
import type { TypedProject } from './typed-sources.ts';

export const types: Rule = {
  check({ typed }) {
    const { program } = typed.project;
    const diagnostics = [
      ...program.getConfigFileParsingDiagnostics(),
      ...program.getProgramDiagnostics(),
      ...program.getGlobalDiagnostics(),
      ...program.getSyntacticDiagnostics(),
      ...program.getBindDiagnostics(),
      ...program.getSemanticDiagnostics(),
    ].filter(({ category }) => category === DiagnosticCategory.Error);
    const problems = [...new Set(diagnostics.map((diagnostic) => lineOf(diagnostic, typed)))];
    return { problems, summary: `${program.getSourceFileNames().length} files` };
  },
};

function lineOf({ fileName, pos, code, text, messageChain = [] }: Diagnostic, { project }: TypedProject): string {
  const message = [`TS${code}: ${text}`, ...messageChain.flatMap((chained) => chainLines(chained, '  '))].join('\n');
  const source = fileName === undefined ? undefined : project.program.getSourceFile(fileName);
  if (fileName === undefined || source === undefined) return message;
  const { line, character } = source.getLineAndCharacterOfPosition(pos);
  return `${relative(projectRoot, fileName)}:${line + 1}:${character + 1}: ${message}`;
}

function chainLines({ text, messageChain = [] }: Diagnostic, indent: string): string[] {
  return [`${indent}${text}`, ...messageChain.flatMap((chained) => chainLines(chained, `${indent}  `))];
}
