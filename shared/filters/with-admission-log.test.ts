import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createLogger } from '#shared/observability/logger.ts';
import type { RequestContext } from '#shared/request/request-context.ts';
import { withAdmissionLog } from './with-admission-log.ts';

function filterAt(level: number, lines: string[]): ReturnType<typeof withAdmissionLog> {
  return withAdmissionLog(createLogger({ level, format: 'json', write: (line) => void lines.push(line) }));
}

describe('withAdmissionLog', () => {
  test('asks for no steps below -v=5', async () => {
    await filterAt(4, [])((context) => assert.equal(context.admissionRecorder, undefined))({} as RequestContext);
  });

  test('logs each step that the handler records', async () => {
    const lines: string[] = [];
    const info = { verb: 'create', path: '/api/v1/namespaces/a/pods' };
    const context = { auditId: 'id', info } as unknown as RequestContext;
    await filterAt(
      5,
      lines,
    )(({ admissionRecorder }) => {
      const step = { phase: 'mutating', plugin: 'P', rule: 'c/w', verdict: 'admitted' } as const;
      admissionRecorder?.record({ ...step, ms: 1.23456, changed: ['/metadata/labels'] });
    })(context);
    const { ts: _, caller: _place, ...line } = JSON.parse(lines.join('')) as Record<string, unknown>;
    assert.deepEqual(line, {
      v: 5,
      msg: 'Admission step',
      auditID: 'id',
      ...info,
      phase: 'mutating',
      plugin: 'P',
      rule: 'c/w',
      verdict: 'admitted',
      milliseconds: 1.235,
      changed: ['/metadata/labels'],
    });
  });
});
