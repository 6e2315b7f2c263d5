// CPU of the gateway for a GET of an object of 1 KB, beside that of nginx for passing the same GET to the same core:
//   node --import tsx test/benchmark/beside-nginx.ts [--seconds 4] [--write]
// Needs nginx on PATH (or where NGINX says) and kbench; the bundles of dist/. Fails beyond three times nginx's CPU over
// HTTP/2, which kbench and Go clients speak; HTTP/1.1 is told beside. --write puts the figures into README.md. nginx
// has one worker, TLS towards clients and kept connections to core's Unix socket, and says itself who the client is,
// where the gateway authenticates, authorizes and limits.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { pkiPaths, processSockets } from '#shared/process/data-directory.ts';
import { processOf } from '#test/cluster-processes.ts';
import { startCluster } from '#test/cluster.ts';
import { freePort } from '#test/free-port.ts';
import { startProgram } from '#test/program.ts';
import { referenceProgram } from '#test/reference.ts';
import { adminToken, writeTokens } from '#test/tokens.ts';
import { runKbench } from './kbench.ts';
import { processTree } from './processes.ts';
import { writeFigures } from './write-figures.ts';

const rounds = 5;
const mostOfNginx = 3;
const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '4' }, write: { type: 'boolean', default: false } },
});
const seconds = Number(values.seconds);
const program = referenceProgram('kbench') ?? 'kbench';

const folder = mkdtempSync(join(tmpdir(), 'beside-nginx-'));
const cluster = await startCluster({ bundled: true, flags: ['--token-auth-file', writeTokens(folder)] });
const port = await freePort();
writeFileSync(join(folder, 'nginx.conf'), configuration(port));
const nginx = startProgram(
  process.env['NGINX'] ?? 'nginx',
  ['-p', folder, '-c', join(folder, 'nginx.conf')],
  join(folder, 'nginx.log'),
);
try {
  await nginx.until(() => Promise.resolve(processTree(nginx.pid).length > 1));
  const candidates: readonly Candidate[] = [
    { name: 'nginx', url: `https://127.0.0.1:${port}`, pids: processTree(nginx.pid) },
    { name: 'gateway', url: cluster.url, pids: [processOf(cluster, 'gateway') ?? 0] },
  ];
  const lines = [
    `${new Date().toISOString().slice(0, 10)}, µs of CPU a GET:`,
    '',
    '| | gateway | nginx | ratio | target |',
    '|---|---|---|---|---|',
  ];
  for (const { version, flags, most } of [
    { version: 'HTTP/2', flags: [], most: mostOfNginx },
    { version: 'HTTP/1.1', flags: ['-h1'], most: undefined },
  ]) {
    const micros = await measure(candidates, flags);
    const ratio = micros.gateway / micros.nginx;
    const missed = most !== undefined && ratio > most;
    lines.push(
      `| ${version} | ${micros.gateway} | ${micros.nginx} | ${missed ? `**${ratio.toFixed(2)}**` : ratio.toFixed(2)} | ${most === undefined ? '' : `≤ ${most}`} |`,
    );
    if (missed) process.exitCode = 1;
  }
  console.log(lines.join('\n'));
  if (values.write) writeFigures('beside nginx', lines.join('\n'));
} finally {
  await nginx.close();
  await cluster.close();
  rmSync(folder, { recursive: true, force: true });
}

interface Candidate {
  readonly name: 'nginx' | 'gateway';
  readonly url: string;
  readonly pids: readonly number[];
}

/** Medians over rounds in which each takes its turn. */
async function measure(
  candidates: readonly Candidate[],
  flags: readonly string[],
): Promise<{ readonly nginx: number; readonly gateway: number }> {
  const micros = { nginx: [] as number[], gateway: [] as number[] };
  for (let round = 0; round <= rounds; round++) {
    for (const { name, url, pids } of candidates) {
      const figures = await runKbench(
        program,
        { url, token: adminToken, pids },
        { run: 'get', protobuf: false },
        seconds,
        flags,
      );
      if (figures.errors !== '')
        throw new Error(`${name}: ${figures.errors}\n${readFileSync(join(folder, 'nginx.log'), 'utf8').slice(-1000)}`);
      // The first round warms up.
      if (round > 0) micros[name].push(figures.cpuMicros);
    }
  }
  return { nginx: median(micros.nginx), gateway: median(micros.gateway) };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function configuration(listenPort: number): string {
  const { servingCert, servingKey } = pkiPaths(cluster.pki);
  const core = processSockets(join(cluster.dataDir, 'run'), true).core;
  return `
daemon off;
user ${userInfo().username};
worker_processes 1;
error_log stderr error;
pid ${folder}/nginx.pid;
events { worker_connections 1024; }
http {
  access_log off;
  client_body_temp_path ${folder}; proxy_temp_path ${folder}; fastcgi_temp_path ${folder}; uwsgi_temp_path ${folder}; scgi_temp_path ${folder};
  keepalive_requests 100000000;
  http2_max_concurrent_streams 100;
  upstream core { server unix:${core}; keepalive 64; keepalive_requests 100000000; }
  server {
    listen 127.0.0.1:${listenPort} ssl http2;
    ssl_certificate ${servingCert};
    ssl_certificate_key ${servingKey};
    location / {
      proxy_pass http://core;
      proxy_http_version 1.1;
      proxy_set_header Host localhost;
      proxy_set_header Connection "";
      proxy_set_header Authorization "";
      proxy_set_header X-Remote-User system:apiserver;
      proxy_set_header X-Remote-Group system:masters;
    }
  }
}
`;
}
