import type { UnaryAnswer } from '#shared/storage/etcd-wire/service.ts';
import type { StoreServiceParts } from './store-parts.ts';

/** The Cluster service of a cluster with one member, and the only supported method of the Auth service. */
export class ClusterHandlers {
  readonly #parts: StoreServiceParts;

  constructor(parts: StoreServiceParts) {
    this.#parts = parts;
  }

  memberList(): UnaryAnswer<'Cluster/MemberList'> {
    const { header, store, clientUrls } = this.#parts;
    const urls = [...clientUrls()];
    return {
      header: header.at(store.revision),
      members: [{ id: header.memberId, name: 'default', peerUrls: urls, clientUrls: urls }],
    };
  }

  authStatus(): UnaryAnswer<'Auth/AuthStatus'> {
    return { header: this.#parts.header.at(this.#parts.store.revision), enabled: false, authRevision: 1 };
  }
}
