import type { CoreContext } from '../context/core-context.ts';
import { ensureObject } from './ensure-object.ts';

const systemNamespaces = ['kube-system', 'kube-public', 'kube-node-lease', 'default'];

/** Post-start hook `start-system-namespaces-controller`. */
export async function ensureSystemNamespaces(core: CoreContext): Promise<void> {
  await Promise.all(
    systemNamespaces.map((name) =>
      ensureObject(core, '', 'namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }),
    ),
  );
}
