import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sendFirstRequests } from './first-requests.mjs';

const withinMs = 60_000;

/**
 * Starts everything once, with data of its own, and ends it behind its first requests: each process then writes its code
 * cache.
 */
export async function fillCodeCaches(dist) {
  const data = mkdtempSync(join(tmpdir(), 'quarterdeck-build-'));
  try {
    const port = await freePort();
    const flags = ['--data-dir', data, '--secure-port', String(port)];
    const child = spawn(process.execPath, [join(dist, 'quarterdeck.js'), ...flags], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, QUARTERDECK_WRITE_CODE_CACHE: '1' },
    });
    // The launcher then ends the others, which are in process groups of their own.
    const timer = setTimeout(() => child.kill('SIGTERM'), withinMs);
    let text = '';
    const requests = [];
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (more) => {
        text += more;
        // Once: a second signal would cut it short.
        if (requests.length > 0 || !text.includes(' is ready at ')) return;
        const sent = sendFirstRequests(port, data).finally(() => child.kill('SIGTERM'));
        // Who waits for them below comes later.
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

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
}
