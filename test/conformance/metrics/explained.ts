/** Promised families of the reference that are not here, with the reason. */
export const missingFamilies: ReadonlyMap<string, string> = new Map([
  // apiserver/pkg/registry/rest/validate.go: objects are validated once here, so no two results can differ.
  ['apiserver_validation_declarative_validation_mismatch_total', 'one validation'],
  ['apiserver_validation_declarative_validation_panic_total', 'one validation'],
]);
/** Families of both that are not alike, with the reason. */
export const unlikeHelp: ReadonlyMap<string, string> = new Map([
  // Alpha families whose help begins with a word of its own in the reference.
  ['apiserver_flowcontrol_demand_seats', 'EXPERIMENTAL'],
  ['apiserver_flowcontrol_priority_level_request_utilization', 'EXPERIMENTAL'],
  ['apiserver_flowcontrol_priority_level_seat_utilization', 'EXPERIMENTAL'],
  ['apiserver_flowcontrol_read_vs_write_current_requests', 'EXPERIMENTAL'],
]);
