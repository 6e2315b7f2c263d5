import { relative, resolve } from 'node:path';
import type { SourceFile } from 'typescript/unstable/ast';
import { API, type Project } from 'typescript/unstable/sync';
import { projectRoot } from './source-files.ts';

const notProduct = /\/(?:gen|testdata|testing|node_modules)\/|\.test\.ts$|\.d\.ts$/;

export interface TypedSource {
  /** Relative to the project's root. */
  readonly name: string;
  readonly source: SourceFile;
}

export interface TypedProjectOptions {
  /** Default: the project's own. */
  readonly tsconfig?: string;
  /** Those with the product. */
  readonly folders?: readonly string[];
}

/** The project as the compiler reads it, which runs as a process of its own until `close`. */
export class TypedProject {
  readonly #api = new API({ cwd: projectRoot });
  readonly #roots: readonly string[];
  readonly project: Project;
  #product: readonly TypedSource[] | undefined;

  constructor({ tsconfig = 'tsconfig.json', folders = ['gateway', 'servers', 'shared'] }: TypedProjectOptions) {
    this.#roots = folders.map((folder) => `${resolve(projectRoot, folder)}/`);
    const config = resolve(projectRoot, tsconfig);
    const [project] = this.#api.updateSnapshot({ openProjects: [config] }).getProjects();
    if (project === undefined) throw new Error(`${config} is no project`);
    this.project = project;
  }

  /** The source files of the product. */
  get product(): readonly TypedSource[] {
    const { program } = this.project;
    this.#product ??= program
      .getSourceFileNames()
      .filter((file) => this.#roots.some((root) => file.startsWith(root)) && !notProduct.test(file))
      .map((file) => {
        const source = program.getSourceFile(file);
        if (source === undefined) throw new Error(`${file} cannot be read`);
        return { name: relative(projectRoot, file), source };
      });
    return this.#product;
  }

  close(): void {
    this.#api.close();
  }
}
