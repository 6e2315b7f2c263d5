import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { http1Client, type ClusterAddress } from '#test/api-client.ts';
import { adminToken } from '#test/tokens.ts';

export const tokens = {
  victim: 'token-of-victim',
  mallory: 'token-of-mallory',
  powerless: 'token-of-powerless',
  controller: 'token-of-controller',
} as const;

/**
 * Writes a file for `--token-auth-file` and returns its path. Of its users only the administrator is in system:masters.
 */
export function writeUsers(folder: string): string {
  const path = join(folder, 'users.csv');
  const users = Object.entries(tokens).map(([key, token]) => {
    const name = key === 'controller' ? 'system:kube-controller-manager' : key;
    return `${token},${name},${name}\n`;
  });
  writeFileSync(path, [`${adminToken},admin,admin,"system:masters"\n`, ...users].join(''), { mode: 0o600 });
  return path;
}

const largeCount = 100;

/** What the attacks ask for, and who may: `victim` in a namespace of its own, `mallory` in `default`. */
export async function prepare(address: ClusterAddress, largeBytes = 20_000): Promise<void> {
  const admin = http1Client(address);
  const create = async (path: string, body: unknown): Promise<void> => {
    const { status, text } = await admin.send('POST', path, { body });
    if (status !== 201 && status !== 409) throw new Error(`POST ${path}: ${status} ${text}`);
  };
  try {
    await create('/api/v1/namespaces', { metadata: { name: 'victim' } });
    await create('/api/v1/namespaces', { metadata: { name: 'default' } });
    for (const [user, namespace] of [
      ['victim', 'victim'],
      ['mallory', 'default'],
    ]) {
      const roles = `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}`;
      await create(`${roles}/roles`, {
        metadata: { name: 'all' },
        rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['*'] }],
      });
      await create(`${roles}/rolebindings`, {
        metadata: { name: 'all' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'all' },
        subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: user }],
      });
    }
    await create('/api/v1/namespaces/victim/configmaps', { metadata: { name: 'known' } });
    await create('/api/v1/namespaces/default/configmaps', { metadata: { name: 'small' } });
    for (let at = 0; at < largeCount; at++)
      await create('/api/v1/namespaces/default/configmaps', {
        metadata: { name: `large-${at}` },
        data: { text: 'x'.repeat(largeBytes) },
      });
  } finally {
    admin.close();
  }
}
