import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { CoreV1Api, KubeConfig, makeInformer } from '@kubernetes/client-node';
import type { V1ConfigMap } from '@kubernetes/client-node';

/** ConfigMaps by name: uid, resourceVersion and text. */
export type Held = Record<string, string>;

/** An informer of some client that runs for as long as the test. */
export interface HeldStore {
  readonly name: string;
  read(): Promise<Held>;
  close(): void;
}

const startAgainMs = 200;

export function heldForm({ metadata, data }: Pick<V1ConfigMap, 'metadata' | 'data'>): string {
  return `${metadata?.uid} ${metadata?.resourceVersion} ${data?.['text'] ?? ''}`;
}

/** client-node's, which is started anew after an error, as its documentation says. */
export async function clientNodeStore(kubeconfig: string): Promise<HeldStore> {
  const config = new KubeConfig();
  config.loadFromFile(kubeconfig);
  const core = config.makeApiClient(CoreV1Api);
  const informer = makeInformer(config, '/api/v1/namespaces/default/configmaps', () =>
    core.listNamespacedConfigMap({ namespace: 'default' }),
  );
  const ended = new AbortController();
  const start = async (): Promise<void> => {
    while (!ended.signal.aborted) {
      try {
        return await informer.start();
      } catch {
        await pause(startAgainMs);
      }
    }
  };
  informer.on('error', () => void pause(startAgainMs).then(start));
  await start();
  return {
    name: 'client-node',
    read: () =>
      Promise.resolve(
        Object.fromEntries(informer.list().map((object) => [object.metadata?.name ?? '', heldForm(object)])),
      ),
    close: () => {
      ended.abort();
      void informer.stop();
    },
  };
}

/** client-go's, in a program of its own. */
export function clientGoStore(program: string, kubeconfig: string, watchList: boolean): HeldStore {
  const child = spawn(program, [], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { ...process.env, KUBECONFIG: kubeconfig, KUBE_FEATURE_WatchListClient: String(watchList) },
  });
  const waiting: ((held: Held) => void)[] = [];
  createInterface(child.stdout).on('line', (line) => waiting.shift()?.(JSON.parse(line) as Held));
  return {
    name: watchList ? 'client-go with streamed lists' : 'client-go',
    read: () =>
      new Promise((resolve) => {
        waiting.push(resolve);
        child.stdin.write('\n');
      }),
    close: () => void child.kill(),
  };
}
