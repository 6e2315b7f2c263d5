import type { Provider, ProviderAnswer } from '#shared/authentication/oidc/provider-client.ts';

/** Answers by path. */
export type ProviderAnswers = Readonly<Record<string, { readonly status: number; readonly body: string }>>;

/** A provider that gives the same answers again and again, and counts how often it is asked. */
export class RecordedProvider implements Provider {
  readonly #answers: ReadonlyMap<string, { readonly status: number; readonly body: string }>;
  readonly asked: string[] = [];

  constructor(answers: ProviderAnswers) {
    this.#answers = new Map(Object.entries(answers));
  }

  get(address: string): Promise<ProviderAnswer> {
    const { pathname } = new URL(address);
    this.asked.push(pathname);
    const answer = this.#answers.get(pathname);
    if (answer === undefined)
      return Promise.reject(new Error(`Get ${JSON.stringify(address)}: some unexpected oidc error`));
    return Promise.resolve({ ...answer, statusText: String(answer.status), headers: {} });
  }

  close(): void {}
}
