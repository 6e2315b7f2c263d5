/** Who asks, as authentication found it (apiserver/pkg/authentication/user). */
export interface UserInfo {
  readonly name: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/** The servers themselves, in what they read and write and ask of each other. */
export const apiServerUser: UserInfo = Object.freeze({
  name: 'system:apiserver',
  uid: '',
  groups: ['system:masters', 'system:authenticated'],
  extra: {},
});
