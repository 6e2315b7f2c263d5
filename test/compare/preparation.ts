import { JsonClient } from '#test/json-client.ts';
import { adminToken } from '#test/tokens.ts';

/** Makes the objects on one server that a comparison asks about. What cannot be made is thrown. */
export class Preparation {
  readonly #client: JsonClient;

  constructor(url: string) {
    this.#client = new JsonClient(url, adminToken);
  }

  /** An object that is there already stays; asks again while its namespace or its kind is not there. */
  async create(path: string, object: object): Promise<void> {
    for (let status = 404; status === 404;) {
      const answer = await this.#client.call('POST', path, object);
      status = answer.status;
      if (status !== 201 && status !== 409 && status !== 404)
        throw new Error(`${path}: ${status} ${JSON.stringify(answer.body)}`);
    }
  }

  async patch(path: string, object: object): Promise<void> {
    const { status, body } = await this.#client.call('PATCH', path, object);
    if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
  }

  /** @param port on which its kubelet listens */
  async node(name: string, addresses: readonly object[], port: number): Promise<void> {
    await this.create('/api/v1/nodes', { metadata: { name } });
    await this.patch(`/api/v1/nodes/${name}/status`, {
      status: { addresses, daemonEndpoints: { kubeletEndpoint: { Port: port } } },
    });
  }
}
