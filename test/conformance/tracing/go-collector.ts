import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** A span as the collector in Go prints it (`test/recorders/clients/otlp-collector`). */
export interface CollectedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId: string;
  readonly name: string;
  /** `Client`, `Server`, `Internal`. */
  readonly kind: string;
  /** `Unset`, `Ok`, `Error`. */
  readonly status: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly events: readonly string[];
  readonly links: number;
  readonly resource: Readonly<Record<string, string>>;
}

const sources = join(import.meta.dirname, '..', '..', 'recorders', 'clients', 'otlp-collector');

/** Builds the collector, and returns its path. */
export function buildCollector(folder: string): string {
  const program = join(folder, 'otlp-collector');
  const { status, stderr } = spawnSync('go', ['build', '-o', program, '.'], {
    cwd: sources,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`the collector was not built: ${stderr}`);
  return program;
}

/** A collector of OTLP in a process of its own. */
export class GoCollector {
  readonly spans: CollectedSpan[] = [];
  readonly #child: ChildProcess;
  readonly #endpoint = Promise.withResolvers<string>();

  constructor(program: string) {
    this.#child = spawn(program, { stdio: ['pipe', 'pipe', 'inherit'] });
    if (this.#child.stdout === null) throw new Error('the collector has no output');
    let isFirst = true;
    createInterface({ input: this.#child.stdout }).on('line', (line) => {
      if (isFirst) this.#endpoint.resolve(line);
      else this.spans.push(JSON.parse(line) as CollectedSpan);
      isFirst = false;
    });
  }

  /** `host:port`. */
  endpoint(): Promise<string> {
    return this.#endpoint.promise;
  }

  close(): void {
    this.#child.kill();
  }
}
