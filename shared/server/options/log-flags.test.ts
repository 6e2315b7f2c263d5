import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLogger } from '#shared/observability/logger.ts';
import { logStart } from './log-flags.ts';
import { resolveServerOptions, type ServerOptions } from './server-options.ts';

function linesOf(level: number, changed: Partial<ServerOptions>): string[] {
  const lines: string[] = [];
  const logger = createLogger({ level, format: 'text', write: (line) => void lines.push(line) });
  logStart(logger, resolveServerOptions(changed));
  return lines;
}

test('logStart: without -v, only the release is logged', () => {
  const lines = linesOf(0, {});
  assert.equal(lines.length, 1);
  assert.match(lines[0] ?? '', /Version: v1\.36\.3/);
});

test('logStart: a flag that changes nothing yet is warned of', () => {
  assert.match(
    linesOf(0, { permitAddressSharing: true })[1] ?? '',
    /^W.*--permit-address-sharing is checked, and changes nothing yet/,
  );
});

test('logStart: a deprecated flag is warned of, as there', () => {
  assert.match(
    linesOf(0, { enableLogsHandler: true })[1] ?? '',
    /^W.*Flag --enable-logs-handler has been deprecated, Log handler functionality is deprecated/,
  );
});

test('logStart: with -v=1, each flag is logged', () => {
  assert.ok(linesOf(1, { securePort: 7 }).some((line) => line.includes('FLAG: --secure-port=\\"7\\"')));
});
