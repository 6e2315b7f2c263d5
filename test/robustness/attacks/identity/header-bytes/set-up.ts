import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { adminToken, bobToken } from '#test/tokens.ts';
import { admin } from './common.ts';
import { headerForms } from './forms.ts';
import type { ByteClient } from './send.ts';

/** Writes a token, a user, a uid and a group of every form; returns the file's path. */
export function writeFormTokens(folder: string): string {
  const path = join(folder, 'tokens.csv');
  const quoted = (bytes: string): string => `"${bytes.replaceAll('"', '""')}"`;
  const lines = [
    `${adminToken},admin,u1,"system:masters"`,
    `${bobToken},bob,u2,"dev"`,
    ...headerForms.map(({ bytes }) => [`t${bytes}`, bytes, bytes, bytes].map(quoted).join(',')),
    '',
  ];
  writeFileSync(path, Buffer.from(lines.join('\n'), 'latin1'), { mode: 0o600 });
  return path;
}

/** Flags for names of headers beyond the usual ones. `before`: what the names begin with that no other flag gives. */
export function headerFlags(tokens: string, before: readonly string[]): string[] {
  const list = (end: string): string => [...before, 'X-Other-'].map((begin) => begin + end).join(',');
  return [
    `--token-auth-file=${tokens}`,
    `--requestheader-username-headers=${list('User')}`,
    `--requestheader-group-headers=${list('Group')}`,
    `--requestheader-extra-headers-prefix=${list('Extra-')}`,
    '--requestheader-uid-headers=X-Remote-Uid',
  ];
}

/** A role for every form as a user, as a group, as a name and as a path. */
export async function prepare(client: ByteClient): Promise<void> {
  const apiGroup = 'rbac.authorization.k8s.io';
  const of = (bytes: string): string => Buffer.from(bytes, 'latin1').toString('utf8');
  const post = async (path: string, object: object, bytes: (text: string) => string): Promise<void> => {
    const body = bytes(JSON.stringify(object));
    const { status, body: text } = await client.ask({ what: path, method: 'POST', path, headers: admin, body });
    if (status !== 201 && status !== 409) throw new Error(`${path}: ${status} ${text}`);
  };
  const roots = `/apis/${apiGroup}/v1`;
  const utf8 = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');
  const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get'], resourceNames: ['shared'] }];
  const role = (name: string, more: object): object => ({ metadata: { name }, ...more });
  await post('/api/v1/namespaces/default/configmaps', { metadata: { name: 'shared' } }, utf8);
  await post(`${roots}/clusterroles`, role('readers', { rules }), utf8);
  for (const [index, { bytes }] of headerForms.entries()) {
    for (const kind of ['User', 'Group']) {
      const subjects = [{ kind, apiGroup, name: 'NAME' }];
      const roleRef = { apiGroup, kind: 'ClusterRole', name: 'readers' };
      await post(
        `${roots}/clusterrolebindings`,
        role(`readers-${kind.toLowerCase()}-${index}`, { subjects, roleRef }),
        // The text with the form's own bytes, as a client may send it.
        (text) => utf8(text).replace('"NAME"', () => JSON.stringify(bytes)),
      );
    }
  }
  const paths = headerForms.map(({ bytes }) => `/ruled/${of(bytes)}`);
  await post(`${roots}/clusterroles`, role('paths', { rules: [{ nonResourceURLs: paths, verbs: ['get'] }] }), utf8);
  await post(
    `${roots}/clusterrolebindings`,
    role('paths', {
      subjects: [{ kind: 'User', apiGroup, name: 'bob' }],
      roleRef: { apiGroup, kind: 'ClusterRole', name: 'paths' },
    }),
    utf8,
  );
}
