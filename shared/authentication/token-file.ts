import { readFileSync } from 'node:fs';
import type { AuthenticationAnswer, AuthenticationResult, TokenAuthenticator } from './contract/authenticator.ts';

/** `--token-auth-file`: a CSV file with token, user, uid and, quoted, the groups. Read once, as the reference does. */
export class TokenFileAuthenticator implements TokenAuthenticator {
  readonly #users = new Map<string, AuthenticationResult>();
  readonly #apiAudiences: readonly string[];

  /** @throws Error when the file cannot be read or a line has fewer than three columns */
  constructor(path: string, apiAudiences: readonly string[] = []) {
    this.#apiAudiences = apiAudiences;
    const own = apiAudiences.length === 0 ? {} : { audiences: apiAudiences };
    for (const record of parseCsv(readFileSync(path, 'utf8'))) {
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

  /** These tokens name no audience: they are good for the server's own. */
  authenticateToken(token: string, audiences: readonly string[]): AuthenticationAnswer {
    const known = this.#users.get(token);
    if (known === undefined || audiences.length === 0) return known;
    const matching = audiences.filter((audience) => this.#apiAudiences.includes(audience));
    return matching.length === 0 ? undefined : { user: known.user, audiences: matching };
  }
}

function parseCsv(text: string): string[][] {
  return text
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
    .map((line) =>
      // Each column ends with a comma, the last one too, so that an empty one is matched like any other.
      [...`${line},`.matchAll(/(?:"((?:[^"]|"")*)"|([^,]*)),/g)].map((match) =>
        match[1] === undefined ? (match[2] ?? '') : match[1].replaceAll('""', '"'),
      ),
    );
}
