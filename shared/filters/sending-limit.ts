/** Limits the requests of each user whose bodies have not arrived: the received parts are held in memory. */
export class SendingLimit {
  readonly #limit: number;
  readonly #byUser = new Map<string, number>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** False, and nothing is counted, if the user already has the allowed number. */
  add(user: string): boolean {
    const count = this.#byUser.get(user) ?? 0;
    if (count >= this.#limit) return false;
    this.#byUser.set(user, count + 1);
    return true;
  }

  remove(user: string): void {
    const count = (this.#byUser.get(user) ?? 0) - 1;
    if (count <= 0) this.#byUser.delete(user);
    else this.#byUser.set(user, count);
  }
}
