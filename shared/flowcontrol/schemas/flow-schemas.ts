import type { RequestInfo } from '#shared/request/request-info.ts';
import type { UserInfo } from '#shared/request/user.ts';
import { byPrecedence, type FlowSchema, type FlowRules } from './flow-schema.ts';
import { isRequestOfRule, rulesForUser } from './match-flow-schema.ts';

/** A FlowSchema for one user. */
export interface UserSchema {
  readonly schema: FlowSchema;
  /** Of the flow of this user in the schema, when it was needed before. */
  hash?: bigint;
}

/** With those of its rules that are about the user. */
interface UserRules extends UserSchema {
  readonly rules: readonly FlowRules[];
}

/** The FlowSchemas in their order. */
export class FlowSchemas {
  readonly #schemas: readonly FlowSchema[];
  readonly #fallback: FlowSchema;
  /** Authentication hands out the same object for the same user while it remembers a credential. */
  readonly #byUser = new WeakMap<UserInfo, readonly UserRules[]>();

  /** @param mandatory first and last of all, unless their objects are among the schemas */
  constructor(
    schemas: readonly FlowSchema[],
    mandatory: { readonly exempt: FlowSchema; readonly catchAll: FlowSchema },
  ) {
    const names = new Set(schemas.map(({ name }) => name));
    const sorted = schemas.toSorted(byPrecedence);
    const { exempt, catchAll } = mandatory;
    this.#schemas = [
      ...(names.has(exempt.name) ? [] : [exempt]),
      ...sorted,
      ...(names.has(catchAll.name) ? [] : [catchAll]),
    ];
    this.#fallback = sorted.find(({ name }) => name === catchAll.name) ?? catchAll;
  }

  get names(): readonly string[] {
    return this.#schemas.map(({ name }) => name);
  }

  /** The first that is about the request. */
  of(info: RequestInfo, user: UserInfo): UserSchema {
    for (const known of this.#rulesOf(user))
      for (const rule of known.rules) if (isRequestOfRule(rule, info)) return known;
    return { schema: this.#fallback };
  }

  #rulesOf(user: UserInfo): readonly UserRules[] {
    let known = this.#byUser.get(user);
    if (known === undefined) {
      known = this.#schemas
        .map((schema) => ({ schema, rules: rulesForUser(schema, user) }))
        .filter(({ rules }) => rules.length > 0);
      this.#byUser.set(user, known);
    }
    return known;
  }
}
