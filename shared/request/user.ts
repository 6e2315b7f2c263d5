/** The user of a request, as determined by authentication (apiserver/pkg/authentication/user). */
export interface UserInfo {
  readonly name: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/** The user as which the servers themselves read, write and send requests to each other. */
export const apiServerUser: UserInfo = Object.freeze({
  name: 'system:apiserver',
  uid: '',
  groups: ['system:masters', 'system:authenticated'],
  extra: {},
});
