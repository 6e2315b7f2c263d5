import type { ResponseHeader } from '#shared/storage/etcd-wire/kv-messages.ts';

/** Term of a single member, which is its own leader since its first election. */
export const raftTerm = 2;

/** Creates the headers of answers. */
export class AnswerHeader {
  readonly clusterId: string;
  readonly memberId: string;

  constructor(clusterId: string, memberId: string) {
    this.clusterId = clusterId;
    this.memberId = memberId;
  }

  at(revision: number): ResponseHeader {
    return { clusterId: this.clusterId, memberId: this.memberId, revision, raftTerm };
  }
}
