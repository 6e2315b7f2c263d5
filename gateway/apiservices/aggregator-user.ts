import type { UserInfo } from '../../shared/request/user.ts';

/** As whom the gateway asks registered servers for itself: may read discovery everywhere. */
export const aggregatorUser: UserInfo = {
  name: 'system:kube-aggregator',
  uid: '',
  groups: ['system:masters'],
  extra: {},
};
