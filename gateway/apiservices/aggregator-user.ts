import type { UserInfo } from '#shared/request/user.ts';

/** The user of the gateway's own requests to registered servers; it may read discovery everywhere. */
export const aggregatorUser: UserInfo = {
  name: 'system:kube-aggregator',
  uid: '',
  groups: ['system:masters'],
  extra: {},
};
