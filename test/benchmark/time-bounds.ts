// Processor time of work on long lists and texts, which grew with the square of their length once, and its bounds.
//   node --import tsx test/benchmark/time-bounds.ts
import { LimitRanger } from '#servers/core/admission/limits/limit-ranger.ts';
import { validateMounts } from '#servers/core/apis/core/volumes/validation/mounts.ts';
import { validateVolumeUpdate } from '#servers/core/apis/core/volumes/validation/persistent-volume-validation.ts';
import { csiNodeStrategy } from '#servers/core/apis/storage/csi-nodes.ts';
import { defaultDependencies, defaultGates } from '#servers/core/testing/default-dependencies.ts';
import { goDiff } from '#servers/core/validation/go-diff.ts';
import { GrpcDeframer, grpcHeadBytes, writeGrpcHead } from '#servers/store/rpc/grpc-framing.ts';
import { pod, podAttributes, refusalOf } from '#shared/admission/testing/attributes.ts';
import { FakeCaches } from '#shared/admission/testing/fake-caches.ts';
import { path } from '#shared/apimachinery/errors/field-error.ts';
import { asKubeObject } from '#shared/apimachinery/object.ts';
import { Matcher } from '#shared/apimachinery/regexp/matcher.ts';
import { compileProgram } from '#shared/apimachinery/regexp/program.ts';
import { matchesLabels, parseLabelSelector } from '#shared/apimachinery/selectors/labels.ts';
import { atOnce, inSlices } from '#shared/apimachinery/slices/slices.ts';
import { threadMs } from '#shared/apimachinery/slices/testing/longest-turn.ts';
import { parseCsv } from '#shared/authentication/csv.ts';

const times = <T>(count: number, item: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => item(at));

interface Bound {
  readonly name: string;
  readonly mostMs: number;
  readonly work: () => unknown;
}

const bounds: readonly Bound[] = [
  {
    name: 'the difference of two pods of 40,000 volumes',
    mostMs: 100,
    work() {
      const volumes = (name: string): object => ({ volumes: times(40_000, (at) => ({ name: `${name}${at}` })) });
      goDiff('io.k8s.api.core.v1.PodSpec', volumes('a') as never, volumes('b') as never);
    },
  },
  {
    name: 'the update of a CSINode of 20,000 drivers',
    mostMs: 3_000,
    work() {
      const drivers = times(20_000, (at) => ({ name: `d${at}.example.com`, nodeID: 'n', topologyKeys: ['a'] }));
      const node = asKubeObject({ metadata: { name: 'a' }, spec: { drivers } });
      csiNodeStrategy(defaultDependencies).validateUpdate?.(node, node, {} as never);
    },
  },
  {
    name: 'the update of a volume of 20,000 node selector terms',
    mostMs: 500,
    work() {
      const nodeSelectorTerms = times(20_000, (at) => ({ matchExpressions: [{ key: `k${at}`, operator: 'Exists' }] }));
      const volume = asKubeObject({
        metadata: { name: 'a' },
        spec: { nodeAffinity: { required: { nodeSelectorTerms } } },
      });
      validateVolumeUpdate(volume, volume, defaultGates);
    },
  },
  {
    name: '40,000 devices beside 40,000 mounts',
    mostMs: 2_000,
    work() {
      const volumeMounts = times(40_000, (at) => ({ name: 'm', mountPath: `/m${at}` }));
      const volumeDevices = times(40_000, (at) => ({ name: `d${at}`, devicePath: `/d${at}` }));
      const volumes = new Map([['m', { name: 'm', emptyDir: {} }]]);
      atOnce(validateMounts({ volumeMounts, volumeDevices }, volumes, path('a')));
    },
  },
  {
    name: 'LimitRanger with 20,000 limits and containers',
    mostMs: 5_000,
    work() {
      const min = Object.fromEntries(times(20_000, (at) => [`example.com/r${at}`, '1']));
      const caches = new FakeCaches();
      const spec = { limits: [{ type: 'Container', min }] };
      caches.put('', 'limitranges', { metadata: { name: 'l', namespace: 'a' }, spec });
      const object = pod({ containers: times(20_000, (at) => ({ name: `c${at}` })) });
      return refusalOf(new LimitRanger(caches), podAttributes({ object }));
    },
  },
  {
    name: 'a gRPC message of 1 MiB in pieces of 8 bytes',
    mostMs: 2_000,
    work() {
      const frame = writeGrpcHead(Buffer.concat([Buffer.alloc(grpcHeadBytes), Buffer.alloc(1024 * 1024, 7)]));
      const deframer = new GrpcDeframer();
      for (let at = 0; at < frame.length; at += 8) deframer.push(frame.subarray(at, at + 8), () => undefined);
    },
  },
  {
    name: '20,000 objects under a label selector of many terms',
    mostMs: 5_000,
    work() {
      const selector = atOnce(parseLabelSelector(times(20_000, (at) => `!a${at}`).join()));
      for (let object = 0; object < 20_000; object++) matchesLabels(selector, { a: `w${object}`, c: 'd' });
    },
  },
  {
    name: 'a text of a million characters under a regular expression',
    mostMs: 2_000,
    work: () => inSlices(new Matcher(compileProgram('(\\w+\\s?)+end')).matches('word '.repeat(200_000))),
  },
  {
    name: 'CSV of 200,000 fields',
    mostMs: 5_000,
    work: () => parseCsv('"a"\n'.repeat(200_000)),
  },
];

for (const { name, mostMs, work } of bounds) {
  const began = threadMs();
  await work();
  const tookMs = threadMs() - began;
  const isLong = tookMs > mostMs;
  if (isLong) process.exitCode = 1;
  console.log(`${isLong ? 'TOO LONG' : 'ok      '} ${String(Math.round(tookMs)).padStart(5)} of ${mostMs} ms: ${name}`);
}
