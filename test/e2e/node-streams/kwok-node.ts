import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTestCa } from '#shared/server/testing/certificates.ts';
import { http2Client, type ClusterAddress } from '#test/api-client.ts';
import { freePort } from '#test/free-port.ts';
import { startProgram } from '#test/program.ts';
import { referenceProgram } from '#test/reference.ts';

export interface KwokNode {
  close(): Promise<void>;
}

/**
 * A node with a pod of one and a pod of two containers, played by kwok: logs from a file, commands on this machine,
 * ports of one server.
 */
export async function startNode(
  target: ClusterAddress & { readonly kubeconfig: string },
  folder: string,
  forwardTo: number,
): Promise<KwokNode> {
  mkdirSync(folder, { recursive: true });
  const file = (name: string, content: string): string => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  };
  const log = file(
    'pod.log',
    Array.from({ length: 9 }, (_, line) => `2024-01-02T03:04:0${line}.000000000Z stdout F line ${line}\n`).join(''),
  );
  const config = file(
    'kwok.yaml',
    [
      kind('ClusterLogs', { logs: [{ logsFile: log }] }),
      kind('ClusterExec', { execs: [{ local: {} }] }),
      kind('ClusterAttach', { attaches: [{ logsFile: log }] }),
      kind('ClusterPortForward', { forwards: [{ target: { port: forwardTo, address: '127.0.0.1' } }] }),
    ].join('---\n'),
  );
  const serving = await (await createTestCa()).issue('CN=kwok', 'server');
  const port = await freePort();
  const kwok = startProgram(
    referenceProgram('kwok') ?? 'kwok',
    [
      '--kubeconfig',
      target.kubeconfig,
      '--config',
      config,
      '--manage-all-nodes=true',
      '--node-lease-duration-seconds',
      '40',
      '--node-ip',
      '127.0.0.1',
      '--node-port',
      String(port),
      '--server-address',
      `127.0.0.1:${port}`,
      '--tls-cert-file',
      file('tls.crt', serving.cert),
      '--tls-private-key-file',
      file('tls.key', serving.key),
    ],
    join(folder, 'kwok.log'),
  );
  const admin = http2Client(target);
  const create = async (path: string, body: object): Promise<void> => {
    const { status, text } = await admin.send('POST', path, { body });
    if (status !== 201 && status !== 409) throw new Error(`${path}: ${status} ${text}`);
  };
  await create('/api/v1/nodes', { metadata: { name: 'node' } });
  await create('/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'default' } });
  for (const [name, containers] of Object.entries({ pod: ['c'], two: ['c', 'd'] })) {
    await create('/api/v1/namespaces/default/pods', {
      metadata: { name },
      spec: {
        nodeName: 'node',
        tolerations: [{ operator: 'Exists' }],
        containers: containers.map((each) => ({ name: each, image: 'i' })),
      },
    });
    await kwok.until(
      async () => (await admin.send('GET', `/api/v1/namespaces/default/pods/${name}`)).json.status.phase === 'Running',
    );
  }
  await kwok.until(
    async () =>
      (await admin.send('GET', '/api/v1/nodes/node')).json.status.daemonEndpoints?.kubeletEndpoint?.Port === port,
  );
  return {
    async close() {
      admin.close();
      await kwok.close();
    },
  };
}

function kind(name: string, spec: object): string {
  return `${JSON.stringify({ apiVersion: 'kwok.x-k8s.io/v1alpha1', kind: name, metadata: { name: 'all' }, spec })}\n`;
}
