/** Why this server answers to flags otherwise than the reference, with the upstream file that shows what it does. */
const explained: readonly (readonly [pattern: RegExp, why: string])[] = [
  [
    /^--cors-allowed-origins=/,
    'apiserver/pkg/server/options/server_run_options.go puts its whole help behind the error; here is the error alone',
  ],
  [
    /^--secure-port=70000/,
    'apiserver/pkg/server/options/serving.go needs a port; here 0 turns it off, and the error says so',
  ],
  [
    /^--tls-(?:cert-file|private-key-file)=DIR\/\w+(?:\.pem)?$/,
    'apiserver/pkg/server/options/serving.go names no flag; here both are named',
  ],
  [
    /^--tls-min-version=VersionTLS14/,
    'component-base/cli/flag/ciphersuites_flag.go names no flag; here it is, with its values',
  ],
  [
    /^--endpoint-reconciler-type=other/,
    'pkg/controlplane/instance.go ends by klog.Fatalf with 255; here it is an error as the others are',
  ],
  [
    /^--proxy-client-(?:cert|key)-file=DIR\/none/,
    'kube-aggregator/pkg/apiserver/apiserver.go starts without the pair if one of both is not given; here files that are named must be there',
  ],
  [
    /^--peer-ca-file=/,
    'pkg/controlplane/apiserver/peer.go needs --proxy-client-cert-file, which a server of this product always has',
  ],
  [
    /^--service-account-signing-endpoint=/,
    'pkg/controlplane/apiserver/options/options.go completes the flags before its validation, which has the words used here',
  ],
];

export function explanation(flag: string): string | undefined {
  return explained.find(([pattern]) => pattern.test(flag))?.[1];
}
