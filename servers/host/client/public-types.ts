// The types of the package `quarterdeck`, whose declarations are made of this file as it is: so it imports nothing.

/** A user of a cluster. */
export interface User {
  readonly name: string;
  readonly groups?: readonly string[];
}

export interface StartClusterOptions {
  /** Flags of kube-apiserver, such as `['--feature-gates=…']`. */
  readonly flags?: readonly string[];
  /**
   * Controllers to run beside the API, by their names in kube-controller-manager's `--controllers`: `['*']` (the
   * default), names, `-name` for all but one. `namespace-controller` empties and removes deleted namespaces,
   * `garbage-collector-controller` deletes objects whose owners are gone, `serviceaccount-controller` and
   * `root-ca-certificate-publisher-controller` give each namespace its `default` ServiceAccount and its
   * `kube-root-ca.crt`. `[]` is the state of envtest: there are none, and the ServiceAccount admission plugin is off.
   *
   *     const cluster = await startCluster({ controllers: ['*', '-garbage-collector-controller'] });
   */
  readonly controllers?: readonly string[];
  /**
   * `'one'` (the default): all servers in the process that clusters share. `'separate'`: each server is a process of its
   * own, as `npm start` runs them; such a cluster takes seconds to start, and has no marks, forks and `requests()`.
   *
   *     const cluster = await startCluster({ processes: 'separate' });
   */
  readonly processes?: 'one' | 'separate';
  /**
   * Draws uids, generated names, addresses and ports by this seed, so that a test that sends one request after the other
   * gets the same bytes each time, in `controllers: []` with the same resource versions. Together with `now` times are the
   * same, too. The cluster gets a process of its own; its `kubernetes` Service has no endpoints, and there is no Lease of
   * the API server.
   *
   *     const cluster = await startCluster({ seed: 1, now: '2026-01-31T12:00:00Z' });
   */
  readonly seed?: string | number;
  /** All times that the servers write into objects: a Date, or a text such as `2026-01-31T12:00:00Z`. */
  readonly now?: Date | string;
}

/** YAML, the path or URL of a file or folder, an object, or several. */
export type ManifestInput = string | URL | object | readonly object[];

/** A request that a client sent. */
export interface ClientRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly userAgent: string;
  /** Of the answer; undefined before, and when the client left first. */
  readonly code?: number;
}

/** An object of any kind. */
export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly uid: string };
  readonly [field: string]: unknown;
}

/** A state of a cluster that it can be rolled back to. */
export interface Mark {
  /** The number by which the host knows it. */
  readonly id: number;
}

/** A real API server of a test's own. */
export interface TestCluster extends AsyncDisposable {
  readonly url: string;
  /** Path of a kubeconfig whose user is in `system:masters`. */
  readonly kubeconfig: string;
  /** Resolves with the path of a kubeconfig by which a client is this user, with the rights that RBAC gives it. */
  kubeconfigFor(user: User): Promise<string>;
  /**
   * Applies manifests on the server's side, as `kubectl apply --server-side --force-conflicts` does: YAML, a file, the
   * files of a folder, or objects. Namespaces and definitions go first. Resolves with the objects as they are then, when
   * definitions are established and served, and the servers of webhooks accept connections.
   *
   *     await cluster.apply('config/crd');
   *     const [map] = await cluster.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' } });
   *
   * Rejects with the place of what is no object, or is not served, before anything is changed, and with the answer of
   * the server for an object that it refuses.
   */
  apply(manifests: ManifestInput): Promise<readonly KubernetesObject[]>;
  /**
   * Makes a namespace that no other test has, named after the running test of node:test, vitest or jest. Resolves with
   * its name, when it has its `default` ServiceAccount and its `kube-root-ca.crt` if the controllers for them run.
   *
   *     const namespace = await cluster.namespace();
   */
  namespace(): Promise<string>;
  /**
   * What clients sent since a mark was set or last rolled back to, in the order of arrival; without one the last 10,000
   * requests at least. Requests of the servers, their controllers, and `apply` are left out.
   *
   *     const mark = await cluster.mark();
   *     await reconcile();
   *     const writes = (await cluster.requests(mark)).filter(({ method }) => method !== 'GET');
   */
  requests(mark?: Mark): Promise<readonly ClientRequest[]>;
  /**
   * Runs the body of a test. If it fails, prints the last requests of clients and the last events of the cluster to
   * `console.error`, before hooks of the runner change anything, and fails as it did. Resolves with what it returned.
   *
   *     test('scales up', () =>
   *       cluster.printOnFailure(async () => {
   *         await reconcile();
   *         assert.equal(await replicas(), 3);
   *       }));
   */
  printOnFailure<T>(body: () => T | Promise<T>): Promise<T>;
  /** Marks the state now. */
  mark(): Promise<Mark>;
  /** Lets the server forget what only this mark needs. */
  release(mark: Mark): Promise<void>;
  /**
   * Gives all objects their state of the mark again, at once: watches and informers follow it as any other writes.
   * Resolves when reads show it, and definitions, rights and admission follow it, with the number of objects that changed.
   */
  rollback(mark: Mark): Promise<number>;
  /**
   * Starts a second cluster with the objects of now, with their uids. From then on neither sees what the other's clients
   * write; tokens of service accounts are valid in both. Its resource versions are its own.
   */
  fork(): Promise<TestCluster>;
  /** Ends the cluster, and removes its data. */
  close(): Promise<void>;
}

export interface StartCluster {
  /**
   * Starts a cluster API in a process beside this one, which all clusters of this process share, and which ends with
   * it. With the global setup of a runner (`quarterdeck/global-setup`) all files of a run share that process.
   *
   *     await using cluster = await startCluster();
   *     const config = new KubeConfig();
   *     config.loadFromFile(cluster.kubeconfig);
   *
   * Rejects with what to change when a flag is unknown or the cluster does not start.
   */
  (options?: StartClusterOptions): Promise<TestCluster>;
}
