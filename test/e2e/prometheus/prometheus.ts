import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '#test/free-port.ts';
import { startProgram, type Program } from '#test/program.ts';

/** A server whose `/metrics` are scraped. */
export interface Target {
  readonly name: string;
  readonly url: string;
  readonly caFile: string;
  /** Of a client certificate. */
  readonly certFile: string;
  readonly keyFile: string;
}

export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** A Prometheus of Debian's package `prometheus`, with data of its own. */
export class Prometheus {
  readonly #program: Program;
  readonly #folder: string;
  readonly #url: string;

  /** @param rules a rule file, in JSON, which is YAML */
  static async start(targets: readonly Target[], rules: object, scrapeSeconds: number): Promise<Prometheus> {
    const folder = mkdtempSync(join(tmpdir(), 'prometheus-'));
    const port = await freePort();
    writeFileSync(join(folder, 'rules.yaml'), JSON.stringify(rules));
    writeFileSync(join(folder, 'prometheus.yaml'), JSON.stringify(configuration(targets, scrapeSeconds)));
    const program = startProgram(
      'prometheus',
      [
        `--config.file=${join(folder, 'prometheus.yaml')}`,
        `--storage.tsdb.path=${join(folder, 'data')}`,
        `--web.listen-address=127.0.0.1:${port}`,
        '--log.format=logfmt',
      ],
      join(folder, 'log'),
    );
    const prometheus = new Prometheus(program, folder, `http://127.0.0.1:${port}`);
    try {
      await program.until(async () => (await fetch(`${prometheus.#url}/-/ready`)).ok);
    } catch (error) {
      await prometheus.close();
      throw error;
    }
    return prometheus;
  }

  private constructor(program: Program, folder: string, url: string) {
    this.#program = program;
    this.#folder = folder;
    this.#url = url;
  }

  /** Evaluates an expression now. */
  async query(expression: string): Promise<readonly Sample[]> {
    const answer = await fetch(`${this.#url}/api/v1/query?query=${encodeURIComponent(expression)}`);
    const { status, error, data } = (await answer.json()) as QueryAnswer;
    if (status !== 'success' || data === undefined) throw new Error(`${expression}: ${error}`);
    if (data.resultType === 'scalar') return [{ labels: {}, value: Number(data.result[1]) }];
    return data.result.map(({ metric, value }) => ({ labels: metric, value: Number(value[1]) }));
  }

  /** Health of each target, and its last error. */
  async targets(): Promise<readonly { readonly name: string; readonly health: string; readonly error: string }[]> {
    const answer = await fetch(`${this.#url}/api/v1/targets?state=active`);
    const { data } = (await answer.json()) as TargetsAnswer;
    return data.activeTargets.map(({ labels, health, lastError }) => ({
      name: labels['cluster'] ?? '',
      health,
      error: lastError,
    }));
  }

  /** The warnings and errors that it wrote. */
  complaints(): readonly string[] {
    const lines = readFileSync(join(this.#folder, 'log'), 'utf8').split('\n');
    return lines.filter((line) => /level=(?:warn|error)/.test(line));
  }

  async close(): Promise<void> {
    await this.#program.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

interface QueryAnswer {
  readonly status: string;
  readonly error?: string;
  readonly data?:
    | { readonly resultType: 'scalar'; readonly result: readonly [number, string] }
    | {
        readonly resultType: 'vector';
        readonly result: readonly {
          readonly metric: Readonly<Record<string, string>>;
          readonly value: readonly [number, string];
        }[];
      };
}

interface TargetsAnswer {
  readonly data: {
    readonly activeTargets: readonly {
      readonly labels: Readonly<Record<string, string>>;
      readonly health: string;
      readonly lastError: string;
    }[];
  };
}

function configuration(targets: readonly Target[], scrapeSeconds: number): object {
  return {
    global: { scrape_interval: `${scrapeSeconds}s`, evaluation_interval: `${scrapeSeconds}s` },
    rule_files: ['rules.yaml'],
    scrape_configs: targets.map(({ name, url, caFile, certFile, keyFile }) => ({
      job_name: name,
      scheme: 'https',
      tls_config: { ca_file: caFile, cert_file: certFile, key_file: keyFile },
      // The mixin takes the job for the component.
      static_configs: [{ targets: [new URL(url).host], labels: { job: 'kube-apiserver', cluster: name } }],
    })),
  };
}
