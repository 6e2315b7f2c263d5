import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ComposeService } from './compose-file.ts';

export interface Programs {
  /** The bundle that is the image's entry point. */
  readonly quarterdeck: string;
  readonly etcd: string;
}

export interface ComposeOptions {
  readonly programs: Programs;
  /** For volumes. */
  readonly folder: string;
  /** Second octet of the loopback addresses: one an instance of the project. */
  readonly network: number;
  readonly profiles?: readonly string[];
  /** As `--scale`. */
  readonly scale?: Readonly<Record<string, number>>;
  /** As an override file would add them. */
  readonly moreArguments?: Readonly<Record<string, readonly string[]>>;
}

interface Container {
  readonly service: ComposeService;
  readonly address: string;
  readonly process: ChildProcess;
}

const entryPoint = '/opt/quarterdeck/dist/quarterdeck.js';
const healthyWithinMs = 60_000;

/**
 * Runs the services as processes of this machine: a container is a process with a loopback address of its own, a volume
 * a folder, and a service's name stands for the addresses of its containers.
 */
export class ComposeProcesses {
  readonly #services: readonly ComposeService[];
  readonly #options: ComposeOptions;
  readonly #containers: Container[] = [];
  #output = '';

  constructor(services: readonly ComposeService[], options: ComposeOptions) {
    this.#options = options;
    this.#services = services.filter(
      ({ profiles }) =>
        profiles.length === 0 || profiles.some((profile) => options.profiles?.includes(profile) === true),
    );
  }

  /** In the order of `depends_on`. Rejects with what the processes wrote. */
  async up(): Promise<void> {
    const started = new Map<string, Promise<void>>();
    const start = (name: string): Promise<void> => {
      const service = this.#services.find((candidate) => candidate.name === name);
      if (service === undefined) throw new Error(`depends_on: ${name} is not among the services of these profiles`);
      let running = started.get(name);
      if (running === undefined) started.set(name, (running = this.#start(service, start)));
      return running;
    };
    await Promise.all(this.#services.map(({ name }) => start(name)));
    await Promise.all(this.#services.map((service) => this.#healthy(service)));
  }

  addresses(service: string): string[] {
    const index = this.#services.findIndex(({ name }) => name === service);
    const found = this.#services[index];
    const count = this.#options.scale?.[service] ?? found?.replicas ?? 0;
    return Array.from({ length: count }, (_, replica) => `127.${this.#options.network}.${index + 1}.${replica + 1}`);
  }

  /** The folder behind a volume. */
  volume(name: string): string {
    return join(this.#options.folder, name);
  }

  output(): string {
    return this.#output;
  }

  /** Ends one container and starts it again, as its restart policy says. */
  async crash(service: string): Promise<void> {
    const at = this.#containers.findIndex((container) => container.service.name === service);
    const container = this.#containers[at];
    if (container === undefined) throw new Error(`no container of ${service}`);
    container.process.kill('SIGKILL');
    await once(container.process, 'exit');
    this.#containers[at] = { ...container, process: this.#spawn(container.service, container.address) };
  }

  async down(): Promise<void> {
    for (const service of this.#services.toReversed()) {
      await Promise.all(
        this.#containers
          .filter((container) => container.service === service)
          .map(async ({ process }) => {
            if (process.exitCode !== null || process.signalCode !== null) return;
            process.kill('SIGTERM');
            await once(process, 'exit');
          }),
      );
    }
  }

  async #start(service: ComposeService, start: (name: string) => Promise<void>): Promise<void> {
    for (const [other, condition] of service.dependsOn) {
      await start(other);
      const needed = this.#services.find(({ name }) => name === other);
      if (needed !== undefined && condition === 'service_healthy') await this.#healthy(needed);
    }
    for (const { volume } of service.volumes) mkdirSync(this.volume(volume), { recursive: true, mode: 0o700 });
    const containers = this.addresses(service.name).map((address) => ({
      service,
      address,
      process: this.#spawn(service, address),
    }));
    this.#containers.push(...containers);
    if (![...this.#services].some(({ dependsOn }) => dependsOn.get(service.name) === 'service_completed_successfully'))
      return;
    for (const { process } of containers) {
      const [code] = process.exitCode === null ? ((await once(process, 'exit')) as [number]) : [process.exitCode];
      if (code !== 0) throw new Error(`${service.name} ended with ${code}:\n${this.#output}`);
    }
  }

  async #healthy(service: ComposeService): Promise<void> {
    const check = service.healthcheck;
    if (check === undefined) return;
    const deadline = performance.now() + healthyWithinMs;
    for (const address of this.addresses(service.name)) {
      while (!(await this.#passes(check, service, address))) {
        if (performance.now() > deadline) throw new Error(`${service.name} did not get healthy:\n${this.#output}`);
        await sleep(100);
      }
    }
  }

  async #passes(check: readonly string[], service: ComposeService, address: string): Promise<boolean> {
    // etcdctl is not at hand here; what it would ask is asked over HTTP.
    if (check[0] === 'etcdctl')
      return await fetch(`http://${address}:2379/health`).then(
        (answer) => answer.ok,
        () => false,
      );
    const [, script, ...argv] = check;
    if (check[0] !== 'node' || script !== entryPoint)
      throw new Error(`${service.name}: a health check that is not known here: ${check.join(' ')}`);
    const probe = spawn(
      process.execPath,
      [this.#options.programs.quarterdeck, ...this.#translated(argv, service, address)],
      { stdio: 'ignore' },
    );
    const [code] = (await once(probe, 'exit')) as [number | null];
    return code === 0;
  }

  #spawn(service: ComposeService, address: string): ChildProcess {
    const { programs, moreArguments } = this.#options;
    const argv = this.#translated([...service.command, ...(moreArguments?.[service.name] ?? [])], service, address);
    const [program = '', ...first] =
      service.entrypoint[0] === 'etcd' ? [programs.etcd] : [process.execPath, programs.quarterdeck];
    const child = spawn(program, [...first, ...argv, ...(program === programs.etcd ? ['--log-level=error'] : [])], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (this.#output += `${service.name}: ${text}`));
    return child;
  }

  /** Paths of volumes, "all addresses" and names of services, as they are on this machine. */
  #translated(argv: readonly string[], service: ComposeService, address: string): string[] {
    return argv.map((argument) => {
      let text = argument.replace(/(?<![\d.])0\.0\.0\.0(?![\d.])/, address);
      for (const { volume, path } of service.volumes)
        text = text.replace(new RegExp(`(?<![\\w/-])${path}(?=/|$)`), this.volume(volume));
      for (const { name } of this.#services) {
        text = text.replace(new RegExp(`(?<=^|[=/,])${name}:(\\d+)`, 'g'), (_all, port: string) =>
          this.addresses(name)
            .map((one) => `${one}:${port}`)
            .join(','),
        );
      }
      return text;
    });
  }
}
