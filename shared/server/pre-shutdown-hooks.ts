/** Work that must be done before a server turns requests away, by name; requests of the hooks are still served. */
export type PreShutdownHooks = Readonly<Record<string, () => void | Promise<void>>>;

/**
 * Runs all hooks at once, since the reference runs them in no order (`RunPreShutdownHooks` of apiserver/pkg/server).
 * Resolves when the last has ended. A hook that fails is reported and does not stop the others, nor the shutdown: the
 * reference exits in its midst, and drops the requests in flight. Hooks bound their own time.
 */
export async function runPreShutdownHooks(
  hooks: PreShutdownHooks,
  onFailure: (hook: string, error: unknown) => void,
): Promise<void> {
  await Promise.all(
    Object.entries(hooks).map(async ([hook, run]) => {
      try {
        await run();
      } catch (error) {
        onFailure(hook, error);
      }
    }),
  );
}
