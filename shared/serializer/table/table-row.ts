import type { ColumnFacts } from '../../api/facts.ts';
import type { GroupKind } from '../../apimachinery/gvk.ts';
import type { JsonObject } from '../../apimachinery/json.ts';
import { stringAt } from '../../apimachinery/object.ts';
import { ADMISSIONREGISTRATION_PRINTERS } from './admissionregistration.ts';
import { APPS_PRINTERS } from './apps.ts';
import { AUTOSCALING_PRINTERS } from './autoscaling.ts';
import { BATCH_PRINTERS } from './batch.ts';
import type { RowPrinter, TableRow } from './cells.ts';
import { nameOf } from './cells.ts';
import { CERTIFICATES_PRINTERS } from './certificates.ts';
import { CORE_PRINTERS } from './core.ts';
import { EVENTS_PRINTERS } from './events.ts';
import { FLOWCONTROL_PRINTERS, compareFlowSchemas } from './flowcontrol.ts';
import { NETWORKING_PRINTERS } from './networking.ts';
import { RBAC_PRINTERS } from './rbac.ts';
import { RESOURCE_PRINTERS } from './resource.ts';
import { SCHEDULING_PRINTERS } from './scheduling.ts';
import {
  APIREGISTRATION_PRINTERS,
  APISERVERINTERNAL_PRINTERS,
  COORDINATION_PRINTERS,
  DISCOVERY_PRINTERS,
  NODE_PRINTERS,
  POLICY_PRINTERS,
  STORAGEMIGRATION_PRINTERS,
} from './small-groups.ts';
import { STORAGE_PRINTERS } from './storage.ts';

const GROUPS: ReadonlyMap<string, Readonly<Record<string, RowPrinter>>> = new Map([
  ['', CORE_PRINTERS],
  ['admissionregistration.k8s.io', ADMISSIONREGISTRATION_PRINTERS],
  ['apiregistration.k8s.io', APIREGISTRATION_PRINTERS],
  ['apps', APPS_PRINTERS],
  ['autoscaling', AUTOSCALING_PRINTERS],
  ['batch', BATCH_PRINTERS],
  ['certificates.k8s.io', CERTIFICATES_PRINTERS],
  ['coordination.k8s.io', COORDINATION_PRINTERS],
  ['discovery.k8s.io', DISCOVERY_PRINTERS],
  ['events.k8s.io', EVENTS_PRINTERS],
  ['flowcontrol.apiserver.k8s.io', FLOWCONTROL_PRINTERS],
  ['internal.apiserver.k8s.io', APISERVERINTERNAL_PRINTERS],
  ['networking.k8s.io', NETWORKING_PRINTERS],
  ['node.k8s.io', NODE_PRINTERS],
  ['policy', POLICY_PRINTERS],
  ['rbac.authorization.k8s.io', RBAC_PRINTERS],
  ['resource.k8s.io', RESOURCE_PRINTERS],
  ['scheduling.k8s.io', SCHEDULING_PRINTERS],
  ['storage.k8s.io', STORAGE_PRINTERS],
  ['storagemigration.k8s.io', STORAGEMIGRATION_PRINTERS],
]);

/** The printer of a kind; kinds without one of their own show name and time of creation. */
export function rowPrinter(kind: GroupKind): RowPrinter {
  const printers = GROUPS.get(kind.group);
  const own = printers !== undefined && Object.hasOwn(printers, kind.kind) ? printers[kind.kind] : undefined;
  return own ?? printDefault;
}

function printDefault(object: JsonObject): TableRow {
  const created = stringAt(object, 'metadata', 'creationTimestamp');
  return { cells: [nameOf(object), created === '' ? '0001-01-01T00:00:00Z' : created] };
}

const NAME_COLUMN: ColumnFacts = { name: 'Name', type: 'string', format: 'name', priority: 0, field: 'metadata.name' };

const DEFAULT_COLUMNS: readonly ColumnFacts[] = [
  NAME_COLUMN,
  { name: 'Created At', type: 'date', format: '', priority: 0, field: 'metadata.creationTimestamp' },
];

const SPECIAL_COLUMNS: Readonly<Record<string, readonly ColumnFacts[]>> = {
  Status: ['Status', 'Reason', 'Message'].map((name) => ({ name, type: 'string', format: '', priority: 0 })),
  Scale: [
    { ...NAME_COLUMN, format: '' },
    { name: 'Desired', type: 'integer', format: '', priority: 0, field: 'spec.replicas' },
    { name: 'Available', type: 'integer', format: '', priority: 0, field: 'status.replicas' },
    { name: 'Age', type: 'string', format: '', priority: 0, field: 'metadata.creationTimestamp' },
  ],
};

/**
 * Columns of a kind's Table.
 * @param columns from the facts of the resource; those of Status, of Scale and of kinds without columns are known here
 */
export function columnsOf(kind: GroupKind, columns: readonly ColumnFacts[]): readonly ColumnFacts[] {
  const special = Object.hasOwn(SPECIAL_COLUMNS, kind.kind) ? SPECIAL_COLUMNS[kind.kind] : undefined;
  return special ?? (columns.length === 0 ? DEFAULT_COLUMNS : columns);
}

/** Order of the rows where it is not the order of the list. */
export function rowOrder(kind: GroupKind): ((a: JsonObject, b: JsonObject) => number) | undefined {
  return kind.group === 'flowcontrol.apiserver.k8s.io' && kind.kind === 'FlowSchema' ? compareFlowSchemas : undefined;
}
