import { readFileSync } from 'node:fs';
import { textOfBuffer } from '#shared/apimachinery/text/byte-text.ts';
import type { AuthenticationAnswer, AuthenticationResult, TokenAuthenticator } from './contract/authenticator.ts';
import { parseCsv } from './csv.ts';

/** `--token-auth-file`: a CSV file with token, user, uid and, quoted, the groups. Read once, as the reference does. */
export class TokenFileAuthenticator implements TokenAuthenticator {
  readonly #users = new Map<string, AuthenticationResult>();
  readonly #apiAudiences: readonly string[];

  /** @throws Error if the file cannot be read or is no CSV, or if a record has fewer than three columns */
  constructor(path: string, apiAudiences: readonly string[] = []) {
    this.#apiAudiences = apiAudiences;
    const own = apiAudiences.length === 0 ? {} : { audiences: apiAudiences };
    for (const record of records(path)) {
      const [token = '', name = '', uid = '', groups] = record;
      if (record.length < 3)
        throw new Error(
          `token file '${path}' must have at least 3 columns (token, user name, user uid), found ${record.length}`,
        );
      if (token === '') continue;
      this.#users.set(token, {
        user: { name, uid, groups: groups === undefined ? [] : groups.split(','), extra: {} },
        ...own,
      });
    }
  }

  /** These tokens name no audience: they are valid for the server's own audiences. */
  authenticateToken(token: string, audiences: readonly string[]): AuthenticationAnswer {
    const known = this.#users.get(token);
    if (known === undefined || audiences.length === 0) return known;
    const matching = audiences.filter((audience) => this.#apiAudiences.includes(audience));
    return matching.length === 0 ? undefined : { user: known.user, audiences: matching };
  }
}

function records(path: string): string[][] {
  const text = textOfBuffer(readFileSync(path));
  try {
    return parseCsv(text);
  } catch (error) {
    throw new Error(`token file '${path}': ${(error as Error).message}`, { cause: error });
  }
}
