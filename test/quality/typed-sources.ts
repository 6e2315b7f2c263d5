import { relative, resolve } from 'node:path';
import type { SourceFile } from 'typescript/unstable/ast';
import { API, type Project } from 'typescript/unstable/sync';
import { projectRoot } from './source-files.ts';

const notProduct = /\/(?:gen|testdata|testing|generator|node_modules)\/|\.test\.ts$|\.d\.ts$/;

export interface TypedSource {
  /** Relative to the project's root. */
  readonly name: string;
  readonly source: SourceFile;
}

/**
 * Calls `visit` with each source file of the product, as the compiler read it, and returns how many there are.
 * @param argv `[tsconfig.json [folder …]]`; default: those of the project.
 */
export function visitProduct(argv: readonly string[], visit: (file: TypedSource, project: Project) => void): number {
  const [config = resolve(projectRoot, 'tsconfig.json'), ...folders] = argv;
  const roots = (folders.length > 0 ? folders : ['gateway', 'servers', 'shared']).map(
    (folder) => `${resolve(projectRoot, folder)}/`,
  );
  const api = new API({ cwd: projectRoot });
  try {
    const [project] = api.updateSnapshot({ openProjects: [resolve(config)] }).getProjects();
    if (project === undefined) throw new Error(`${config} is no project`);
    const files = project.program
      .getSourceFileNames()
      .filter((file) => roots.some((root) => file.startsWith(root)) && !notProduct.test(file));
    for (const file of files) {
      const source = project.program.getSourceFile(file);
      if (source === undefined) throw new Error(`${file} cannot be read`);
      visit({ name: relative(projectRoot, file), source }, project);
    }
    return files.length;
  } finally {
    api.close();
  }
}
