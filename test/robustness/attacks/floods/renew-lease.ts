import { http2Client, type ClusterAddress } from '#test/api-client.ts';
import { repeat, type Timing } from '#test/robustness/attacks/seats/victim.ts';

const leases = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases';
const name = 'kube-controller-manager';
/** client-go gives up after ten seconds, and tries every two. */
const everyMs = 500;

/** Renews the lease of the controller manager as it does itself. */
export async function renewLease(address: ClusterAddress, token: string, seconds: number): Promise<Timing> {
  const client = http2Client(address, { token });
  try {
    const body = { metadata: { name }, spec: { holderIdentity: 'a', leaseDurationSeconds: 15 } };
    await client.send('POST', leases, { body });
    return await repeat(
      performance.now() + seconds * 1_000,
      async () => {
        const { status, json } = await client.send('GET', `${leases}/${name}`);
        if (status !== 200) return status;
        return (await client.send('PUT', `${leases}/${name}`, { body: json })).status;
      },
      200,
      everyMs,
    );
  } finally {
    client.close();
  }
}
