/** Message from the launcher to its children, when all of them are about to end. */
export interface EndingMessage {
  readonly type: 'ending';
}

/**
 * Time in which the launcher hears of a signal that all processes get at once. A supervisor sends it to one after the
 * other.
 */
export const sameSignalMs = 250;

/**
 * Listens for the launcher's notice that the whole system ends. @returns a function whose result resolves within
 * {@link sameSignalMs}: whether the notice came
 */
export function awaitEndNotice(): () => Promise<boolean> {
  const notice = Promise.withResolvers<boolean>();
  const onMessage = ({ type }: { readonly type?: string }): void => {
    if (type === 'ending') notice.resolve(true);
  };
  process.on('message', onMessage);
  return async () => {
    const timer = setTimeout(() => notice.resolve(false), sameSignalMs);
    const isEnding = await notice.promise;
    clearTimeout(timer);
    return isEnding;
  };
}
