import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, openSync, readFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './free-port.ts';

/** Certificates of members and clients; files in PEM. */
export interface EtcdCertificates {
  readonly caFile: string;
  readonly serverCertFile: string;
  readonly serverKeyFile: string;
  /** Of clients. */
  readonly certFile: string;
  readonly keyFile: string;
}

export interface EtcdMember {
  readonly url: string;
  readonly pid: number;
  signal(signal: NodeJS.Signals): void;
  /** Ends it at once and starts it again on its data. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** A real etcd of one or more members on free ports of loopback. */
export interface EtcdCluster {
  readonly members: readonly EtcdMember[];
  /** For `--etcd-servers`. */
  readonly endpoints: string;
  close(): Promise<void>;
}

export interface EtcdClusterOptions {
  readonly members?: number;
  /** Clients must show a certificate of the CA. */
  readonly tls?: EtcdCertificates;
  readonly flags?: readonly string[];
}

const readyWithinMs = 30_000;
const probeEveryMs = 50;

/** Starts the etcd at `program` with data and logs below `folder`, and waits until it has a leader. */
export async function startEtcdCluster(
  program: string,
  folder: string,
  options: EtcdClusterOptions = {},
): Promise<EtcdCluster> {
  const { tls, flags = [] } = options;
  const names = Array.from({ length: options.members ?? 1 }, (_, index) => `member-${index + 1}`);
  const scheme = tls === undefined ? 'http' : 'https';
  const plans = await Promise.all(
    names.map(async (name) => ({
      name,
      client: `${scheme}://127.0.0.1:${await freePort()}`,
      peer: `http://127.0.0.1:${await freePort()}`,
    })),
  );
  const initial = plans.map(({ name, peer }) => `${name}=${peer}`).join(',');
  mkdirSync(folder, { recursive: true });
  const members = plans.map(
    ({ name, client, peer }) =>
      new Member(
        program,
        folder,
        name,
        client,
        [
          '--name',
          name,
          '--data-dir',
          join(folder, name),
          '--listen-client-urls',
          client,
          '--advertise-client-urls',
          client,
          '--listen-peer-urls',
          peer,
          '--initial-advertise-peer-urls',
          peer,
          '--initial-cluster',
          initial,
          '--log-level',
          'error',
          ...flags,
          ...(tls === undefined
            ? []
            : [
                '--cert-file',
                tls.serverCertFile,
                '--key-file',
                tls.serverKeyFile,
                '--trusted-ca-file',
                tls.caFile,
                '--client-cert-auth',
              ]),
        ],
        tls,
      ),
  );
  const close = async (): Promise<void> => {
    await Promise.all(members.map((member) => member.stop()));
  };
  try {
    await Promise.all(members.map((member) => member.ready()));
  } catch (error) {
    await close();
    throw error;
  }
  return { members, endpoints: plans.map(({ client }) => client).join(','), close };
}

class Member implements EtcdMember {
  readonly url: string;
  readonly #program: string;
  readonly #argv: readonly string[];
  readonly #log: string;
  readonly #tls: EtcdCertificates | undefined;
  #process: ChildProcess;

  constructor(
    program: string,
    folder: string,
    name: string,
    url: string,
    argv: readonly string[],
    tls: EtcdCertificates | undefined,
  ) {
    this.url = url;
    this.#program = program;
    this.#argv = argv;
    this.#log = join(folder, `${name}.log`);
    this.#tls = tls;
    this.#process = this.#start();
  }

  get pid(): number {
    return this.#process.pid ?? 0;
  }

  signal(signal: NodeJS.Signals): void {
    this.#process.kill(signal);
  }

  async ready(): Promise<void> {
    const deadline = performance.now() + readyWithinMs;
    while (!(await this.#isHealthy())) {
      if (this.#process.exitCode !== null || performance.now() > deadline)
        throw new Error(`etcd at ${this.url} did not get ready:\n${readFileSync(this.#log, 'utf8').slice(-2000)}`);
      await sleep(probeEveryMs);
    }
  }

  async restart(): Promise<void> {
    await this.#end('SIGKILL');
    this.#process = this.#start();
    await this.ready();
  }

  async stop(): Promise<void> {
    await this.#end('SIGTERM');
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const ended = once(this.#process, 'exit');
    this.#process.kill(signal);
    // One that was stopped hears nothing before it goes on.
    this.#process.kill('SIGCONT');
    await ended;
  }

  #start(): ChildProcess {
    const log = openSync(this.#log, 'a');
    return spawn(this.#program, this.#argv, { stdio: ['ignore', log, log] });
  }

  #isHealthy(): Promise<boolean> {
    return new Promise((resolve) => {
      const tls = this.#tls;
      const files =
        tls === undefined
          ? {}
          : { ca: readFileSync(tls.caFile), cert: readFileSync(tls.certFile), key: readFileSync(tls.keyFile) };
      const send = tls === undefined ? httpRequest : httpsRequest;
      const probe = send(`${this.url}/health`, { ...files, agent: false, timeout: 1_000 }, (answer) => {
        answer.resume();
        resolve(answer.statusCode === 200);
      });
      probe
        .on('error', () => resolve(false))
        .on('timeout', () => probe.destroy())
        .end();
    });
  }
}
