import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { sendFirstRequests } from './first-requests.mjs';

const withinMs = 60_000;

/** Has each process write its code cache (load-bundle.ts), with what a start and first requests call. */
export async function fillCodeCaches(dist) {
  await fillServers(dist);
  await fillHost(dist);
  await fillAlone(join(dist, 'undici.js'));
}

/** Has a process that only loads a bundle write its code cache. */
async function fillAlone(bundle) {
  const loader = JSON.stringify(new URL('load-bundle.ts', import.meta.url).href);
  const load = `import { loadBundle } from ${loader};
    process.on('SIGTERM', () => undefined);
    loadBundle(${JSON.stringify(bundle)});
    process.exit();`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', load], { stdio: ['ignore', 'ignore', 'pipe'] });
  let text = '';
  child.stderr.setEncoding('utf8').on('data', (more) => (text += more));
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`the code cache of ${bundle} was not written:\n${text}`);
}

/** Starts all processes once with a temporary data directory, and ends them after the first requests. */
async function fillServers(dist) {
  const data = mkdtempSync(join(tmpdir(), 'quarterdeck-build-'));
  try {
    const port = await freePort();
    const flags = ['--data-dir', data, '--secure-port', String(port)];
    const child = spawn(process.execPath, [join(dist, 'quarterdeck.js'), ...flags], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    // Only the launcher gets the signal: it ends its children, which are in separate process groups.
    const timer = setTimeout(() => child.kill('SIGTERM'), withinMs);
    let text = '';
    const requests = [];
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (more) => {
        text += more;
        // Runs only once: a second SIGTERM would kill the servers before they write their caches.
        if (requests.length > 0 || !text.includes(' is ready at ')) return;
        const sent = sendFirstRequests(port, data).finally(() => child.kill('SIGTERM'));
        // Failures are handled below; without this handler the rejection would be unhandled until then.
        sent.catch(() => undefined);
        requests.push(sent);
      });
    }
    const [code] = await once(child, 'exit');
    clearTimeout(timer);
    await Promise.all(requests);
    if (code !== 0) throw new Error(`the program ended with ${code}:\n${text}`);
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
}

/**
 * Starts the host of test clusters with one cluster; it ends when it is left alone. It has the flags of Node.js that a
 * test starts it with: V8 rejects a cache that was written under other ones.
 */
async function fillHost(dist) {
  // Loaded here, since an old Node.js, for which the build only says what is missing, cannot load it.
  const { forkProcess } = await import('./fork-process.ts');
  const child = forkProcess({
    entry: join(dist, 'quarterdeck.js'),
    argv: ['host'],
    execArgv: [],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    detached: false,
  });
  const ended = once(child, 'exit');
  const timer = setTimeout(() => child.kill('SIGKILL'), withinMs);
  try {
    child.send({ id: 1, method: 'start', parameters: [[]] });
    const [{ result, error }] = await Promise.race([
      once(child, 'message'),
      ended.then(([code]) => [{ error: `the host of test clusters ended with ${code}` }]),
    ]);
    if (error !== undefined) throw new Error(error);
    await sendFirstRequests(Number(new URL(result.url).port), dirname(result.kubeconfig));
  } finally {
    if (child.connected) child.disconnect();
    await ended;
    clearTimeout(timer);
  }
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
}
