import type { Workload } from './kbench.ts';

export interface NamedWorkload extends Workload {
  readonly name: string;
  /** Highest ratio of our CPU to the reference's that is aimed at. */
  readonly target: number;
}

/** What `npm run bench` puts on both servers, in this order. */
export const workloads: readonly NamedWorkload[] = [
  { name: 'GET one ConfigMap', run: 'get', protobuf: false, target: 0.4 },
  { name: 'GET one Pod', run: 'getpod', protobuf: false, target: 0.4 },
  { name: 'create ConfigMap', run: 'create', protobuf: false, target: 0.6 },
  { name: 'create Pod', run: 'createpod', protobuf: false, target: 0.6 },
  { name: 'merge patch', run: 'patch', protobuf: false, target: 0.6 },
  { name: 'server-side apply', run: 'apply', protobuf: false, target: 0.6 },
  { name: 'LIST of 500 pods', run: 'list500', protobuf: false, target: 0.1 },
  { name: 'Table of 500 pods', run: 'table', protobuf: false, target: 0.15 },
  { name: 'watch, 100 watchers, per event', run: 'watch', protobuf: false, target: 0.9 },
  { name: 'GET one custom resource', run: 'crget', protobuf: false, target: 0.4 },
  { name: 'create custom resource', run: 'crcreate', protobuf: false, target: 0.6 },
  { name: 'LIST of 500 custom resources', run: 'crlist', protobuf: false, target: 0.1 },
  { name: 'GET one ConfigMap, protobuf', run: 'get', protobuf: true, target: 0.4 },
  { name: 'GET one Pod, protobuf', run: 'getpod', protobuf: true, target: 0.4 },
  { name: 'create ConfigMap, protobuf', run: 'create', protobuf: true, target: 0.6 },
  { name: 'create Pod, protobuf', run: 'createpod', protobuf: true, target: 0.6 },
  { name: 'merge patch, answer in protobuf', run: 'patch', protobuf: true, target: 0.6 },
  { name: 'server-side apply, answer in protobuf', run: 'apply', protobuf: true, target: 0.6 },
  { name: 'LIST of 500 pods, protobuf', run: 'list500', protobuf: true, target: 0.1 },
  { name: 'watch, 100 watchers, per event, protobuf', run: 'watch', protobuf: true, target: 0.9 },
];
