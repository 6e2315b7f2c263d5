// Every flag of the servers is read somewhere, and not only to check its value: one that nothing reads would be taken
// and do nothing.
import { flagName } from '#shared/server/options/flag-set.ts';
import { isWithoutEffect } from '#shared/server/options/flags-without-effect.ts';
import { serverFlags } from '#shared/server/options/server-options.ts';
import { isTest } from './imports/graph.ts';
import type { Rule } from './rule.ts';

/** What declares, reads or checks values, which is no use of them. */
const options =
  /^shared\/server\/options\/(?:[\w-]+-flags|server-options|validate-[\w-]+|unreadable-files|flags-without-effect)\.ts$/;

/** Flags whose value changes nothing in kube-apiserver either, with the upstream file that shows it. */
const withoutEffectUpstream: ReadonlyMap<string, string> = new Map([
  ['kubeletTimeout', 'pkg/kubelet/client/kubelet_client.go: HTTPTimeout is set and read nowhere'],
  ['kubeletReadOnlyPort', 'pkg/kubelet/client/kubelet_client.go: ReadOnlyPort is set and read nowhere'],
  ['storageBackend', 'apiserver/pkg/storage/storagebackend/factory/factory.go: etcd3 is all that it may be'],
  ['auditLogVersion', 'apiserver/pkg/server/options/audit.go: audit.k8s.io/v1 is all that it may be'],
  ['auditWebhookVersion', 'apiserver/pkg/server/options/audit.go: audit.k8s.io/v1 is all that it may be'],
]);

export const flagsRead: Rule = {
  check({ sources }) {
    const identifiers = new Set<string>();
    for (const { name, text } of sources) {
      if (isTest(name) || options.test(name)) continue;
      for (const [identifier] of text.matchAll(/\b[a-z]\w*\b/g)) identifiers.add(identifier);
    }
    const keys = Object.keys(serverFlags);
    const problems = [
      ...keys
        .filter((key) => !identifiers.has(key) && !withoutEffectUpstream.has(key) && !isWithoutEffect(key))
        .map((key) => `--${flagName(key)} is declared, and nothing reads it`),
      ...[...withoutEffectUpstream.keys()]
        .filter((key) => identifiers.has(key) || !keys.includes(key))
        .map((key) => `--${flagName(key)} is listed as one without effect, and is read or not declared`),
    ];
    return { problems, summary: `${keys.length} flags` };
  },
};
