import type { ClientRequest, User } from './public-types.ts';

/** Where a cluster can be reached. */
export interface HostedAddress {
  /** Names the cluster in calls to its host. */
  readonly cluster: number;
  readonly url: string;
  /** Path of the administrator's kubeconfig. */
  readonly kubeconfig: string;
}

/** What a host does for the process that started it, and for others. Parameters and results are plain JSON. */
export interface HostMethods {
  /** Lets other processes call the host; resolves with the path of its Unix socket. */
  listen(): Promise<string>;
  /** Starts a cluster with flags of kube-apiserver, in the host, or each server as a process of its own. */
  start(flags: readonly string[], isSeparate?: boolean): Promise<HostedAddress>;
  /** Starts another cluster with the same flags and the objects of now. */
  fork(cluster: number): Promise<HostedAddress>;
  /** Applies manifests; resolves with the objects as they are then. */
  apply(cluster: number, manifests: GivenManifests): Promise<readonly object[]>;
  /** Makes a namespace for the test with this name; resolves with the namespace's. */
  namespace(cluster: number, testName: string): Promise<string>;
  /** What clients sent since a mark was set or rolled back to; all that is kept without one. */
  requests(cluster: number, mark?: number): readonly ClientRequest[];
  /** Resolves with lines about the last requests of clients and the last events, for people. */
  tellLast(cluster: number): Promise<string>;
  /** Path of a kubeconfig by which this user is authenticated. */
  kubeconfigFor(cluster: number, user: User): string;
  /** A mark that a rollback can go back to. */
  mark(cluster: number): Promise<number>;
  release(cluster: number, mark: number): void;
  /** Resolves with the number of keys that changed, when reads show it. */
  rollback(cluster: number, mark: number): Promise<number>;
  close(cluster: number): Promise<void>;
}

/** One of a text in YAML, the whole path of a file or folder, and objects. */
export interface GivenManifests {
  readonly text?: string;
  readonly path?: string;
  readonly objects?: readonly object[];
}

export type HostMethod = keyof HostMethods;

export interface HostCall {
  readonly id: number;
  readonly method: HostMethod;
  readonly parameters: readonly unknown[];
}

export interface HostAnswer {
  readonly id: number;
  readonly result?: unknown;
  /** Absent for a call that succeeded. */
  readonly error?: string;
}
