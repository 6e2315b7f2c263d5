import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AuditEvent } from '#shared/audit/contract/audit-event.ts';
import { eventLine } from '#shared/audit/sinks/writing/event-line.ts';
import type { EventWriter } from '#shared/audit/sinks/writing/event-writer.ts';
import type { ReportDrop } from '#shared/audit/sinks/writing/sink-metrics.ts';

/** An event of level Metadata. */
export function someEvent(auditId: string, more: Partial<AuditEvent> = {}): AuditEvent {
  return {
    level: 'Metadata',
    auditId,
    stage: 'ResponseComplete',
    requestUri: '/api/v1/namespaces',
    verb: 'list',
    user: { name: 'anna', uid: '', groups: [], extra: {} },
    sourceIps: ['127.0.0.1'],
    userAgent: 'test',
    receivedAtUs: 1e15,
    stageAtUs: 1e15,
    annotations: new Map(),
    ...more,
  };
}

/** The ids of encoded events. */
export function idsOf(lines: readonly (Buffer | string)[]): string[] {
  return lines.map((line) => (JSON.parse(line.toString()) as { auditID: string }).auditID);
}

/** Counts drops as `plugin reason`. */
export function dropCounts(): { readonly counts: Record<string, number>; readonly report: ReportDrop } {
  const counts: Record<string, number> = {};
  return {
    counts,
    report(plugin, reason, count) {
      const key = `${plugin} ${reason}`;
      counts[key] = (counts[key] ?? 0) + count;
    },
  };
}

/** A writer whose writes end when the test says so. */
export class HeldWriter implements EventWriter {
  readonly name = 'webhook';
  readonly batches: (readonly Buffer[])[] = [];
  readonly #ends: ((isWritten: boolean) => void)[] = [];
  isHurried = false;

  encode(event: AuditEvent): Buffer {
    return eventLine(event);
  }

  write(lines: readonly Buffer[]): Promise<boolean> {
    this.batches.push(lines);
    return new Promise((resolve) => this.#ends.push(resolve));
  }

  /** Ends the oldest write. */
  end(isWritten = true): void {
    this.#ends.shift()?.(isWritten);
  }

  hurry(): void {
    this.isHurried = true;
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

/** A folder that is removed at the end. */
export function temporaryFolder(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'audit-sinks-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
