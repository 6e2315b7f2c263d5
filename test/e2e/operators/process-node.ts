import { Buffer } from 'node:buffer';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Agent, request } from 'undici';
import type { JsonClient } from '#test/json-client.ts';
import { ownAddress } from '#test/own-network.ts';
import { startProgram, type Program } from '#test/program.ts';
import { argumentsOf, deploymentOf, environmentOf, readinessUrl, type Pod } from './pod.ts';

/** What runs in the place of the image of a Deployment's pods. */
export interface PodProgram {
  /** Its file name in the folder of programs. */
  readonly program: string;
  /** Arguments in front of those of the manifest. */
  readonly command?: readonly string[];
  /** Flags behind those of the manifest; `volume` gives the folder of one. */
  readonly flags?: (volume: (name: string) => string) => readonly string[];
  /** Programs share one network: false when the flags move what the manifest's probe asks. */
  readonly probed?: false;
}

interface RunningPod {
  readonly pod: Pod;
  readonly deployment: string;
  readonly folder: string;
  readonly spec: PodProgram;
  process: Program;
  ready: boolean;
}

const nodeName = 'processes';
const lookEveryMs = 300;

/**
 * Plays scheduler and kubelet: the first pod of each Deployment that it has a program for is bound to its node and run
 * as a process, with arguments, variables, Secrets and credentials as the manifest gives them.
 */
export class ProcessNode {
  readonly #api: JsonClient;
  readonly #cluster: { readonly url: string; readonly ca: string };
  readonly #programs: ReadonlyMap<string, PodProgram>;
  readonly #programFolder: string;
  readonly #folder: string;
  readonly #running = new Map<string, RunningPod>();
  readonly #agent = new Agent({ connect: { rejectUnauthorized: false } });
  #closed = false;
  #loop: Promise<void> | undefined;

  constructor(options: {
    readonly api: JsonClient;
    readonly url: string;
    readonly caFile: string;
    readonly programs: Readonly<Record<string, PodProgram>>;
    readonly programFolder: string;
    /** For what pods read and log. */
    readonly folder: string;
  }) {
    this.#api = options.api;
    this.#cluster = { url: options.url, ca: options.caFile };
    this.#programs = new Map(Object.entries(options.programs));
    this.#programFolder = options.programFolder;
    this.#folder = options.folder;
  }

  async start(): Promise<void> {
    await this.#must('POST', '/api/v1/nodes', {
      metadata: { name: nodeName, labels: { 'kubernetes.io/os': 'linux' } },
    });
    this.#loop = this.#run();
  }

  isReady(deployment: string): boolean {
    return this.#running.get(deployment)?.ready === true;
  }

  /** The last lines of each program. */
  logs(): string {
    return [...this.#running.values()]
      .map(({ deployment, folder }) => `--- ${deployment}\n${readFileSync(join(folder, 'log'), 'utf8').slice(-3_000)}`)
      .join('\n');
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#loop;
    await Promise.all([...this.#running.values()].map(({ process }) => process.close()));
    await this.#agent.close();
  }

  async #run(): Promise<void> {
    while (!this.#closed) {
      // A failed round is one of a kubelet that cannot reach the server: the next one tries again.
      await this.#look().catch((error: unknown) => console.log(`node: ${String(error)}`));
      await pause(lookEveryMs);
    }
  }

  async #look(): Promise<void> {
    const { items } = (await this.#must('GET', '/api/v1/pods?fieldSelector=spec.nodeName%3D')) as { items: Pod[] };
    for (const pod of items) {
      const deployment = deploymentOf(pod) ?? '';
      const spec = this.#programs.get(deployment);
      if (spec !== undefined && !this.#running.has(deployment)) await this.#begin(pod, deployment, spec);
    }
    for (const running of this.#running.values()) {
      await this.#mountVolumes(running.pod, running.folder);
      if (!running.ready && (await this.#answersProbe(running))) await this.#setReady(running);
    }
  }

  async #begin(pod: Pod, deployment: string, spec: PodProgram): Promise<void> {
    const { name, namespace } = pod.metadata;
    const folder = join(this.#folder, name);
    mkdirSync(folder, { recursive: true });
    await this.#must('POST', `/api/v1/namespaces/${namespace}/pods/${name}/binding`, {
      metadata: { name },
      target: { kind: 'Node', name: nodeName },
    });
    await this.#mountVolumes(pod, folder);
    const kubeconfig = await this.#writeKubeconfig(pod, folder);
    const start = (): Program =>
      startProgram(
        join(this.#programFolder, spec.program),
        [
          ...(spec.command ?? []),
          ...argumentsOf(pod),
          `--kubeconfig=${kubeconfig}`,
          ...(spec.flags?.((volume) => join(folder, volume)) ?? []),
        ],
        join(folder, 'log'),
        environmentOf(pod),
      );
    const running: RunningPod = { pod, deployment, folder, spec, process: start(), ready: false };
    this.#running.set(deployment, running);
    void this.#keepRunning(running, start);
  }

  /** Starts what ended again, as kubelets do: programs end when a definition is not there yet. */
  async #keepRunning(running: RunningPod, start: () => Program): Promise<void> {
    for (;;) {
      await running.process.ended;
      await pause(1_000);
      if (this.#closed) return;
      running.process = start();
    }
  }

  async #mountVolumes({ metadata, spec }: Pod, folder: string): Promise<void> {
    for (const { name, secret } of spec.volumes ?? []) {
      mkdirSync(join(folder, name), { recursive: true });
      if (secret === undefined) continue;
      const { body } = await this.#api.call(
        'GET',
        `/api/v1/namespaces/${metadata.namespace}/secrets/${secret.secretName}`,
      );
      const { data = {} } = body as { data?: Readonly<Record<string, string>> };
      for (const [key, value] of Object.entries(data))
        writeIfOther(join(folder, name, key), Buffer.from(value, 'base64'));
    }
  }

  async #writeKubeconfig({ metadata, spec }: Pod, folder: string): Promise<string> {
    const { name, namespace, uid } = metadata;
    const { status } = (await this.#must(
      'POST',
      `/api/v1/namespaces/${namespace}/serviceaccounts/${spec.serviceAccountName}/token`,
      { spec: { boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name, uid } } },
    )) as { status: { token: string } };
    const path = join(folder, 'kubeconfig');
    writeFileSync(
      path,
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'Config',
        'current-context': 'api',
        clusters: [{ name: 'api', cluster: { server: this.#cluster.url, 'certificate-authority': this.#cluster.ca } }],
        users: [{ name: 'pod', user: { token: status.token } }],
        contexts: [{ name: 'api', context: { cluster: 'api', user: 'pod', namespace } }],
      }),
      { mode: 0o600 },
    );
    return path;
  }

  async #answersProbe({ pod, spec }: RunningPod): Promise<boolean> {
    const url = spec.probed === false ? undefined : readinessUrl(pod, ownAddress);
    if (url === undefined) return true;
    try {
      const { statusCode, body } = await request(url, { dispatcher: this.#agent });
      await body.dump();
      return statusCode === 200;
    } catch {
      return false;
    }
  }

  async #setReady(running: RunningPod): Promise<void> {
    const { metadata, spec } = running.pod;
    const startedAt = new Date().toISOString().replace(/\.\d+/, '');
    const condition = (type: string): object => ({ type, status: 'True', lastTransitionTime: startedAt });
    await this.#must('PATCH', `/api/v1/namespaces/${metadata.namespace}/pods/${metadata.name}/status`, {
      status: {
        phase: 'Running',
        podIP: ownAddress,
        podIPs: [{ ip: ownAddress }],
        conditions: ['PodScheduled', 'Initialized', 'ContainersReady', 'Ready'].map(condition),
        containerStatuses: spec.containers.map(({ name, image }) => ({
          name,
          image,
          imageID: image,
          ready: true,
          restartCount: 0,
          state: { running: { startedAt } },
        })),
      },
    });
    running.ready = true;
  }

  async #must(method: 'GET' | 'POST' | 'PATCH', path: string, object?: object): Promise<unknown> {
    const { status, body } = await this.#api.call(method, path, object);
    if (status >= 300) throw new Error(`${method} ${path} is answered with ${status}: ${JSON.stringify(body)}`);
    return body;
  }
}

function writeIfOther(path: string, bytes: Buffer): void {
  try {
    if (readFileSync(path).equals(bytes)) return;
  } catch {
    // The first time, no file is there.
  }
  writeFileSync(path, bytes, { mode: 0o600 });
}
