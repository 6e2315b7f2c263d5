// The wall clock is for facts that others read or wrote: timestamps, certificates, tokens. It jumps, when somebody sets
// it, so that no duration is measured by it.
import {
  SyntaxKind,
  type CallExpression,
  type Expression,
  type Identifier,
  type NewExpression,
  type Node,
  type PropertyAccessExpression,
} from 'typescript/unstable/ast';
import type { Rule } from './rule.ts';
import type { TypedSource } from './typed-sources.ts';

/** The files that read the wall clock, and the fact that each needs it for. */
const facts: Readonly<Record<string, string>> = {
  'gateway/identity/identity-lease.ts': 'renewTime of Leases, which other servers write, too',
  'gateway/leader-election/micro-time.ts': 'renewTime and pingTime, which candidates write, too',
  'gateway/serving-health.ts': 'validity of certificates',
  'servers/core/bootstrap/token-tracking.ts': 'the day since which uses of tokens are noted',
  'servers/host/host-folder.ts': 'age of a folder by its mtime',
  'servers/launcher/pki/pki.ts': 'validity of certificates',
  'servers/launcher/pki/renew-certificates.ts': 'validity of certificates',
  'servers/launcher/snapshots.ts': 'names of snapshots, and age of the newest file',
  'shared/apimachinery/chance/object-clock.ts': 'times in objects',
  'shared/apimachinery/values/epoch-clock.ts': 'times of events',
  'shared/audit/sinks/file/file-writer.ts': 'names of full files, and how old they may be',
  'shared/authentication/client-certificates/x509.ts': 'validity of certificates',
  'shared/authentication/bootstrap-tokens/bootstrap-token-authenticator.ts': 'whether a token has expired',
  'shared/encryption/kms/plugin/envelope-metrics.ts': 'when key ids were used, in a metric',
  'shared/encryption/kms/v2/plugin-probe.ts': 'the times in a message',
  'shared/authentication/external-signer/signer-metrics.ts': 'when keys were fetched, in a metric',
  'shared/authentication/oidc/jwt-authenticator.ts': 'nbf and exp of tokens',
  'shared/authentication/oidc/jwt-metrics.ts': 'the time of the last fetch of keys, in a metric',
  'shared/authentication/oidc/remote-key-set.ts': 'the headers Date and Expires of key sets',
  'shared/authentication/service-account/legacy-token-uses.ts': 'the day of the last use',
  'shared/authentication/service-account/service-account-tokens.ts': 'iat, nbf and exp of tokens',
  'shared/admission/manifests/manifest-reloads.ts': 'the time of the last reload, in a metric',
  'shared/authentication/service-account/token-authenticator.ts': 'whether a token is stale',
  'shared/authentication/service-account/token-checks.ts': 'iat, nbf and exp of tokens',
  'shared/configuration/reload-metrics.ts': 'the time of the last reload, in a metric',
  'shared/endpoints/openapi/openapi-handler.ts': 'the header Expires',
  'shared/observability/process-metrics.ts': 'the metric of the start time',
  'shared/process/listeners/mutual-tls-listener.ts': 'validity of certificates',
  'shared/server/debug-pages.ts': 'the start time that a page shows',
  'shared/server/flow-control-pages.ts': 'the times of requests that a page shows',
  'shared/server/http/http2-fields.ts': 'the header Date',
  'shared/server/metrics/serve-metrics.ts': 'a header with the start time',
  'shared/storage/etcd/etcd3-transport.ts': 'deadlines as grpc-js wants them, which makes a timer of each at once',
};

export const wallClock: Rule = {
  check({ typed: { product } }) {
    const problems = product.flatMap((file) => {
      const reads = readsOf(file);
      if (facts[file.name] === undefined)
        return reads.map(
          (read) =>
            `${read}: measure durations with performance.now(); a fact that needs the wall clock gets its reason in test/quality/wall-clock.ts`,
        );
      return reads.length > 0
        ? []
        : [`${file.name}: does not read the wall clock any more: remove its line in test/quality/wall-clock.ts`];
    });
    return { problems, summary: `${product.length} files, ${Object.keys(facts).length} with the wall clock` };
  },
};

function readsOf({ name, source }: TypedSource): string[] {
  const found: string[] = [];
  const visit = (node: Node): void => {
    if (readsWallClock(node)) {
      const line = source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
      found.push(`${name}:${line}: ${node.getText(source)}`);
    }
    node.forEachChild(visit);
  };
  visit(source);
  return found;
}

/** `Date.now`, called or handed on, `new Date()`, `Date()`, and `performance.timeOrigin`. */
function readsWallClock(node: Node): boolean {
  if (node.kind === SyntaxKind.PropertyAccessExpression) {
    const { expression, name } = node as PropertyAccessExpression;
    return (isNamed(expression, 'Date') && name.text === 'now') || name.text === 'timeOrigin';
  }
  if (node.kind === SyntaxKind.NewExpression) {
    const { expression, arguments: given } = node as NewExpression;
    return isNamed(expression, 'Date') && (given?.length ?? 0) === 0;
  }
  return node.kind === SyntaxKind.CallExpression && isNamed((node as CallExpression).expression, 'Date');
}

function isNamed(node: Expression, name: string): boolean {
  return node.kind === SyntaxKind.Identifier && (node as Identifier).text === name;
}
