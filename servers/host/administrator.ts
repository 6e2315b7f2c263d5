import { ApiClient } from '#servers/controllers/client/api-client.ts';
import { gatewayOf } from '#servers/controllers/start-process.ts';
import type { UserInfo } from '#shared/request/user.ts';
import type { HostedCluster } from './hosted-cluster.ts';

const user: UserInfo = {
  name: 'kubernetes-admin',
  uid: '',
  groups: ['system:masters', 'system:authenticated'],
  extra: {},
};

/** The host's own requests to a cluster as its administrator, on a way that is not counted as that of a client. */
export class Administrator {
  readonly client: ApiClient;
  readonly #close: () => void;

  constructor({ options, sockets }: HostedCluster) {
    const gateway = gatewayOf({ server: options, sockets });
    this.client = new ApiClient(gateway, user, 'quarterdeck-host');
    this.#close = () => gateway.close();
  }

  close(): void {
    this.#close();
  }
}
