import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CheckedProject, SourceText } from './rule.ts';
import { projectRoot, sourceFiles } from './source-files.ts';
import { TypedProject, type TypedProjectOptions } from './typed-sources.ts';

/** Each file is read, and the project compiled, once: when the first rule asks. */
export class ProjectOnDisk implements CheckedProject {
  readonly #options: TypedProjectOptions;
  #sources: readonly SourceText[] | undefined;
  #files: readonly string[] | undefined;
  #typed: TypedProject | undefined;

  constructor(options: TypedProjectOptions = {}) {
    this.#options = options;
  }

  get sources(): readonly SourceText[] {
    this.#sources ??= sourceFiles().map((name) => ({ name, text: readFileSync(join(projectRoot, name), 'utf8') }));
    return this.#sources;
  }

  get files(): readonly string[] {
    this.#files ??= execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
      cwd: projectRoot,
      encoding: 'utf8',
    })
      .trim()
      .split('\n')
      .filter((file) => existsSync(join(projectRoot, file)));
    return this.#files;
  }

  get typed(): TypedProject {
    this.#typed ??= new TypedProject(this.#options);
    return this.#typed;
  }

  close(): void {
    this.#typed?.close();
  }
}
