import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Kubectl } from './kubectl.ts';

interface DiscoveredGroup {
  readonly metadata: { readonly name: string };
  readonly versions: readonly { readonly freshness: string }[];
}

/** The API that servers are registered at, as a program outside of it sees it. */
export class Api {
  readonly url: string;
  /** Its certificate authority, in a file. */
  readonly caFile: string;
  readonly #ca: Buffer;
  readonly #token: string;
  readonly #folder = mkdtempSync(join(tmpdir(), 'api-access-'));

  constructor(url: string, ca: Buffer, token: string) {
    this.url = url;
    this.#ca = ca;
    this.#token = token;
    this.caFile = join(this.#folder, 'ca.crt');
    writeFileSync(this.caFile, ca);
  }

  /** Marks in aggregated discovery: of one group, and of all others, without repetition. */
  async freshness(group: string): Promise<{ readonly own: string; readonly others: string }> {
    const { items } = JSON.parse(
      await this.#get('/apis', 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'),
    ) as { items: DiscoveredGroup[] };
    const marks = (own: boolean): string =>
      [
        ...new Set(
          items
            .filter(({ metadata }) => (metadata.name === group) === own)
            .flatMap(({ versions }) => versions.map(({ freshness }) => freshness)),
        ),
      ].join();
    return { own: marks(true), others: marks(false) };
  }

  close(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #get(path: string, accept: string): Promise<string> {
    return new Promise((resolve, reject) => {
      request(
        new URL(path, this.url),
        { ca: this.#ca, headers: { authorization: `Bearer ${this.#token}`, accept } },
        (answer) => {
          let text = '';
          answer
            .setEncoding('utf8')
            .on('data', (more: string) => {
              text += more;
            })
            .on('end', () => resolve(text));
        },
      )
        .on('error', reject)
        .end();
    });
  }
}

export async function openApi(kubectl: Kubectl, token: string): Promise<Api> {
  const cluster = async (field: string): Promise<string> =>
    await kubectl.must('config', 'view', '--raw', '-o', `jsonpath={.clusters[0].cluster.${field}}`);
  return new Api(await cluster('server'), Buffer.from(await cluster('certificate-authority-data'), 'base64'), token);
}
