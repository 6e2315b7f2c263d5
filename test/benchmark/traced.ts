// What traces cost: this server with a part of its requests traced, beside itself without traces.
//   npm run build && node --import tsx test/benchmark/traced.ts [--rounds 6] [--seconds 2] [--rate 10000]
// `--rate` is samplingRatePerMillion; 10,000 are one request of a hundred. kbench lies in $REFERENCE_BIN.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { TestCollector } from '#shared/tracing/testing/test-collector.ts';
import { startCluster, type Cluster } from '#test/cluster.ts';
import { referenceProgram } from '#test/reference.ts';
import { adminToken, writeTokens } from '#test/tokens.ts';
import { runKbench, type Measured } from './kbench.ts';
import { processTree } from './processes.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '6' },
    seconds: { type: 'string', default: '2' },
    rate: { type: 'string', default: '10000' },
  },
});
const kbench = referenceProgram('kbench');
if (kbench === undefined) throw new Error('there is no kbench: REFERENCE_BIN names its folder');
const folder = mkdtempSync(join(tmpdir(), 'traced-'));
const collector = new TestCollector();
await collector.open();
const file = join(folder, 'tracing.yaml');
writeFileSync(
  file,
  JSON.stringify({
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'TracingConfiguration',
    endpoint: collector.endpoint,
    samplingRatePerMillion: Number(values.rate),
  }),
);

const sides = ['without', 'with'] as const;
const start = (flags: readonly string[]): Promise<Cluster> =>
  startCluster({
    bundled: true,
    readyWithinMs: 120_000,
    flags: ['--token-auth-file', writeTokens(folder), '--service-cluster-ip-range', '10.0.0.0/16', ...flags],
  });
const clusters = { without: await start([]), with: await start(['--tracing-config-file', file]) };
const measured = ({ url, launcher }: Cluster): Measured => ({
  url,
  token: adminToken,
  pids: processTree(launcher.pid ?? 0),
});
try {
  for (const run of ['get', 'getpod', 'create']) {
    const micros = { without: [] as number[], with: [] as number[] };
    for (let round = 0; round <= Number(values.rounds); round++)
      for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
        const figures = await runKbench(
          kbench,
          measured(clusters[side]),
          { run, protobuf: false },
          Number(values.seconds),
        );
        if (figures.errors !== '') throw new Error(`${run}, ${side}: ${figures.errors}`);
        // The first round warms both up.
        if (round > 0) micros[side].push(figures.cpuMicros);
      }
    const [off, on] = [median(micros.without), median(micros.with)];
    console.log(`${run}: ${off} µs without traces, ${on} with: ${(on / off).toFixed(3)} (goal 1.03)`);
  }
  console.log(`${collector.spans.length} spans came`);
} finally {
  await Promise.all([clusters.without.close(), clusters.with.close()]);
  await collector.close();
  rmSync(folder, { recursive: true, force: true });
}

function median(figures: readonly number[]): number {
  return figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? 0;
}
