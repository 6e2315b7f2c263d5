import { AuthenticationError } from '#shared/authentication/contract/authenticator.ts';

/** Puts words before the message of the AuthenticationError with which work may be rejected. */
export async function explained<T>(words: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof AuthenticationError)) throw error;
    throw new AuthenticationError(`${words}: ${error.message}`);
  }
}
