import type { Adapter, Stored } from 'oidc-provider';

/** Where the identity provider keeps sessions, grants, codes and refresh tokens, so that they outlive its keys. */
export class SessionStore {
  readonly #values = new Map<string, Stored>();

  /** The part for values of a kind. */
  adapter(kind: string): Adapter {
    const keyOf = (id: string): string => `${kind} ${id}`;
    const values = this.#values;
    const find = async (id: string): Promise<Stored | undefined> => values.get(keyOf(id));
    return {
      find,
      findByUid: async (uid) => [...values.values()].find((value) => value['uid'] === uid && value['kind'] === kind),
      findByUserCode: find,
      async upsert(id, value) {
        values.set(keyOf(id), value);
      },
      async consume(id) {
        const value = await find(id);
        if (value !== undefined) values.set(keyOf(id), { ...value, consumed: Math.floor(Date.now() / 1000) });
      },
      async destroy(id) {
        values.delete(keyOf(id));
      },
      async revokeByGrantId(grantId) {
        for (const [key, value] of values) if (value['grantId'] === grantId) values.delete(key);
      },
    };
  }
}
