import type { UnaryAnswer } from '#shared/storage/etcd-wire/service.ts';
import type { StoreServiceDependencies } from './store-service-dependencies.ts';

/**
 * The Cluster service of a cluster with one member, the only supported method of the Auth service, and that of this
 * project's own.
 */
export class ClusterHandlers {
  readonly #dependencies: StoreServiceDependencies;

  constructor(dependencies: StoreServiceDependencies) {
    this.#dependencies = dependencies;
  }

  memberList(): UnaryAnswer<'Cluster/MemberList'> {
    const { header, store, clientUrls } = this.#dependencies;
    const urls = [...clientUrls()];
    return {
      header: header.at(store.revision),
      members: [{ id: header.memberId, name: 'default', peerUrls: urls, clientUrls: urls }],
    };
  }

  authStatus(): UnaryAnswer<'Auth/AuthStatus'> {
    return { header: this.#dependencies.header.at(this.#dependencies.store.revision), enabled: false, authRevision: 1 };
  }

  tip(): UnaryAnswer<'Store/Tip'> {
    const { header, store, tip } = this.#dependencies;
    return { header: header.at(store.revision), ...tip.offer };
  }
}
