import type { Start } from '#test/conformance/admission-plugins/starts.ts';

/** A start with a TracingConfiguration of these fields. */
function tracing(what: string, fields: string, version = 'v1'): Start {
  return {
    name: `--tracing-config-file: ${what}`,
    flags: ['--tracing-config-file=DIR/file.yaml'],
    files: {
      'file.yaml': `apiVersion: apiserver.config.k8s.io/${version}\nkind: TracingConfiguration\n${fields}`,
    },
  };
}

function untyped(what: string, text: string): Start {
  const name = `--tracing-config-file: ${what}`;
  return { name, flags: ['--tracing-config-file=DIR/file.yaml'], files: { 'file.yaml': text } };
}

/** Wrong files of `--tracing-config-file`, and those with which both servers get as far as to the next error. */
export const brokenTracing: readonly Start[] = [
  tracing('unknown field', 'endpoints: a\n'),
  tracing('field that stands twice', 'endpoint: a\nendpoint: b\n'),
  tracing('wrong type of the endpoint', 'endpoint: 1\n'),
  tracing('wrong type of the rate', 'samplingRatePerMillion: many\n'),
  tracing('rate with a fraction', 'samplingRatePerMillion: 0.5\n'),
  tracing('rate beyond 32 bits', 'samplingRatePerMillion: 4294967296\n'),
  tracing('negative rate', 'samplingRatePerMillion: -1\n'),
  tracing('rate above a million', 'samplingRatePerMillion: 1000001\n'),
  tracing('scheme that is not there', 'endpoint: https://localhost:4317\n'),
  tracing('endpoint with a wrong port', 'endpoint: localhost:port\n'),
  tracing('endpoint with a wrong escape', 'endpoint: "dns://%zz"\n'),
  tracing('endpoint with a control character', 'endpoint: "local\\thost:4317"\n'),
  tracing('several errors', 'endpoint: ftp://a\nsamplingRatePerMillion: -1\n'),
  tracing('no YAML', 'endpoint: [\n'),
  tracing('version that is not there', '', 'v2'),
  tracing('unknown field in v1alpha1', 'sampling: 1\n', 'v1alpha1'),
  tracing('unknown field in v1beta1', 'sampling: 1\n', 'v1beta1'),
  {
    name: '--tracing-config-file: other kind',
    flags: ['--tracing-config-file=DIR/file.yaml'],
    files: { 'file.yaml': 'apiVersion: apiserver.config.k8s.io/v1\nkind: AdmissionConfiguration\n' },
  },
  untyped('neither kind nor version', 'endpoint: https://a\n'),
  untyped('no kind', 'apiVersion: apiserver.config.k8s.io/v1\nendpoint: https://a\n'),
  untyped('no version', 'kind: TracingConfiguration\nendpoint: https://a\n'),
  untyped('unknown field without kind', 'endpoints: a\n'),
  untyped('wrong type without kind', 'endpoint: 1\n'),
  { name: '--tracing-config-file: empty', flags: ['--tracing-config-file=DIR/file.yaml'], files: { 'file.yaml': '' } },
  { name: '--tracing-config-file: folder', flags: ['--tracing-config-file=DIR'], files: {} },
];
