import type { ApiClient } from '#test/api-client.ts';

const services = '/api/v1/namespaces/default/services';
const bindings = '/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings';
const secrets = '/api/v1/namespaces/default/secrets';

/** A new right is there after some milliseconds. */
const maxRefused = 5_000;

interface ServiceObject {
  readonly spec: { readonly clusterIP: string; readonly ports: readonly { readonly nodePort: number }[] };
}

/** Rights and addresses that are to be undone. */
export interface Claims {
  readonly clusterIP: string;
  readonly nodePort: number;
}

/** Gives `guest` a right and takes an address and a port; resolves when the right is there. */
export async function makeClaims(admin: ApiClient, guest: ApiClient, guestName: string): Promise<Claims> {
  const made = await admin.send('POST', services, { body: serviceNamed('claim', {}, {}) });
  expectStatus(made.status, 201, 'a Service');
  const { clusterIP, ports } = (made.json as ServiceObject).spec;
  const bound = await admin.send('POST', bindings, {
    body: {
      metadata: { name: 'claim' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: guestName }],
    },
  });
  expectStatus(bound.status, 201, 'a RoleBinding');
  for (let refused = 0; (await guest.send('GET', secrets)).status !== 200; refused++)
    if (refused > maxRefused) throw new Error('a user with a RoleBinding is refused');
  return { clusterIP, nodePort: ports[0]?.nodePort ?? 0 };
}

/** Checks that they are undone: the guest is refused, and another Service can have the address and the port. */
export async function checkClaims(admin: ApiClient, guest: ApiClient, { clusterIP, nodePort }: Claims): Promise<void> {
  expectStatus((await guest.send('GET', secrets)).status, 403, 'a list by a user whose RoleBinding was undone');
  const again = await admin.send('POST', services, { body: serviceNamed('again', { clusterIP }, { nodePort }) });
  expectStatus(again.status, 201, `a Service with ${clusterIP} and ${nodePort} (${again.text})`);
}

function serviceNamed(name: string, spec: object, port: object): object {
  return {
    metadata: { name },
    spec: { type: 'NodePort', selector: { a: 'b' }, ports: [{ port: 80, ...port }], ...spec },
  };
}

function expectStatus(status: number, wanted: number, what: string): void {
  if (status !== wanted) throw new Error(`${what} was answered with ${status} instead of ${wanted}`);
}
