/**
 * The name of the test that runs now, as node:test, vitest or jest tells it to code that it calls; `test` outside of
 * tests.
 */
export function runningTestName(): string {
  const name = nameByVitest() ?? nameByJest() ?? nameByNode();
  return typeof name === 'string' && name !== '' ? name : 'test';
}

function nameByVitest(): unknown {
  const worker: unknown = Reflect.get(globalThis, '__vitest_worker__');
  return (worker as { readonly current?: { readonly name?: unknown } } | undefined)?.current?.name;
}

/** `expect` keeps its state, with the name of the test, at a symbol of the global object. */
function nameByJest(): unknown {
  const matchers: unknown = Reflect.get(globalThis, Symbol.for('$$jest-matchers-object'));
  return (matchers as { readonly state?: { readonly currentTestName?: unknown } } | undefined)?.state?.currentTestName;
}

/** Not every release of Node.js tells it. */
function nameByNode(): unknown {
  const runner: unknown = process.getBuiltinModule('node:test');
  const { getTestContext } = runner as { readonly getTestContext?: () => { readonly name?: unknown } | undefined };
  return getTestContext?.()?.name;
}
