/** Families of both that are not alike, with the reason. */
export const unlikeHelp: ReadonlyMap<string, string> = new Map([
  // Alpha families whose help begins with a word of its own in the reference.
  ['apiserver_flowcontrol_demand_seats', 'EXPERIMENTAL'],
  ['apiserver_flowcontrol_priority_level_request_utilization', 'EXPERIMENTAL'],
  ['apiserver_flowcontrol_priority_level_seat_utilization', 'EXPERIMENTAL'],
  ['apiserver_flowcontrol_read_vs_write_current_requests', 'EXPERIMENTAL'],
]);

/** Gauges of what is under way, which the reference counts from zero on after a reset, and below. */
export const underWay: ReadonlySet<string> = new Set([
  'apiserver_longrunning_requests',
  'authentication_token_cache_active_fetch_count',
]);
