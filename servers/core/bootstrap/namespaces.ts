import type { CoreContext } from '#servers/core/context/core-context.ts';
import { ensureStored } from './ensure-object.ts';

const systemNamespaces = ['kube-system', 'kube-public', 'kube-node-lease', 'default'];

/** Post-start hook `start-system-namespaces-controller`. */
export async function ensureSystemNamespaces(core: CoreContext): Promise<void> {
  await Promise.all(
    systemNamespaces.map((name) =>
      ensureStored(core, '', 'namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }),
    ),
  );
}
