import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { http1Client, type ClusterAddress } from '#test/api-client.ts';

const maps = '/api/v1/namespaces/kube-public/configmaps';
const objects = 40;
const objectBytes = 500_000;

/** Lists of some 20 MB that their clients have begun to read, and do not read on. */
export interface HaltedLists {
  /** Reads them all to their ends. Returns by audit id whether the whole answer came. */
  finish(): Promise<ReadonlyMap<string, boolean>>;
}

/** Makes what the lists hold. */
export async function fillLists(cluster: ClusterAddress): Promise<void> {
  const client = http1Client(cluster);
  for (let index = 0; index < objects; index++) {
    const body = { metadata: { name: `large-${index}` }, data: { text: 'x'.repeat(objectBytes) } };
    const { status, text } = await client.send('POST', maps, { body });
    if (status !== 201) throw new Error(`${status} ${text.slice(0, 200)}`);
  }
  client.close();
}

export async function haltLists(cluster: ClusterAddress, count: number): Promise<HaltedLists> {
  const lists = await Promise.all(Array.from({ length: count }, (_, index) => beginList(cluster, `list-${index}`)));
  return {
    async finish() {
      return new Map(await Promise.all(lists.map(async ({ id, rest }) => [id, await rest()] as const)));
    },
  };
}

interface BegunList {
  readonly id: string;
  readonly rest: () => Promise<boolean>;
}

function beginList({ url, pki }: ClusterAddress, id: string): Promise<BegunList> {
  const [cert, key] = ['admin.crt', 'admin.key'].map((name) => readFileSync(join(pki, name)));
  const tls = { agent: false, rejectUnauthorized: false, cert, key } as const;
  return new Promise((resolve, reject) => {
    const sent = request(url + maps, { ...tls, headers: { 'audit-id': id } });
    sent.on('error', reject);
    sent.on('response', (answer) => {
      answer.on('error', () => undefined);
      answer.once('data', () => {
        answer.pause();
        const closed = new Promise((over) => answer.once('close', over));
        resolve({
          id,
          async rest() {
            answer.resume();
            await closed;
            return answer.complete;
          },
        });
      });
    });
    sent.end();
  });
}
